/** Requests to the gateway that served this page, as whoever looks at it. */

/** Of a caller whom the gateway cannot take from where the request comes from. Never stored. */
let token = "";

/** @param {string} given */
export function useToken(given) {
  token = given.trim();
}

export const hasToken = () => token !== "";

/** What the gateway refuses, with its status. */
export class Refused extends Error {
  /** @param {number} status @param {{error?: string, code?: string, retryable?: boolean}} body */
  constructor(status, body) {
    super(body.error ?? `The gateway answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "";
  }
}

/**
 * @param {string} path
 * @param {{body?: object, method?: string, accept?: string}} [options]
 * @throws Refused; TypeError where the gateway does not answer
 */
export async function request(path, { body, method, accept = "application/json" } = {}) {
  const answer = await fetch(path, {
    method: method ?? (body ? "POST" : "GET"),
    headers: {
      accept,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(hasToken() ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    credentials: "omit",
    cache: "no-store",
  });
  if (answer.ok) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => ({})));
}

/** @param {string} path */
export const getJson = async (path) => (await request(path)).json();

const STREAM = "text/event-stream, application/json";
/** How often a stream that was cut is read on, and after how many milliseconds. */
const TRIES = 5;
const PAUSE_MS = 1_000;

/**
 * Sends a message and yields its events, in the chat dialect, up to the one with `done`. A stream that is cut is read on where it was cut.
 * @param {string} message @param {string} session
 */
export async function* ask(message, session) {
  let answer = await request("/api/v1/chat?stream=true&on_disconnect=continue", {
    body: { message, session_id: session },
    accept: STREAM,
  });
  const run = answer.headers.get("x-run-id") ?? "";
  let seq = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      for await (const event of eventsOf(answer)) {
        seq = event.seq;
        tries = 0;
        yield event;
        if (event.done) return;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    if (tries === TRIES) throw new Error("The stream was cut, and the gateway does not answer.");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    answer = await reopened(run, seq).catch(() => answer);
  }
}

/**
 * What comes of a run after a pause.
 * @param {string} run @param {number} seq of the event that told of the pause
 */
export async function* goneOn(run, seq) {
  for await (const event of eventsOf(await reopened(run, seq))) {
    yield event;
    if (event.done) return;
  }
}

/** @param {string} run @param {number} seq */
const reopened = (run, seq) =>
  request(`/api/v1/runs/${run}/events?dialect=chat&after=${seq}`, { accept: STREAM });

/** @param {Response} answer @returns {AsyncGenerator<any>} the data of its events */
async function* eventsOf(answer) {
  if (!answer.body || answer.bodyUsed) return;
  let rest = "";
  for await (const piece of chunksOf(answer.body.pipeThrough(new TextDecoderStream()))) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
      if (data.length > 0) yield JSON.parse(data.join("\n"));
    }
  }
}

/** Not every browser can iterate over a stream. @param {ReadableStream<string>} stream */
async function* chunksOf(stream) {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
