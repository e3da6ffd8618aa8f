/** Requests to the gateway that served this page, as whoever looks at it. */

/** Of a caller whom the gateway cannot take from where the request comes from. Never stored. */
let token = "";
/** What this page takes itself for: a session that is over is not silently somebody else's request. @type {"local" | "session"} */
let mark = "local";

/** @param {string} given */
export function useToken(given) {
  token = given.trim();
}

export const hasToken = () => token !== "";

/** What the gateway refuses, with its status. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{error?: string, code?: string, [more: string]: any}} body
   * @param {string | null} [challenge] of a 401
   */
  constructor(status, body, challenge) {
    super(body.error ?? `The gateway answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "";
    this.body = body;
    /** Seconds that a sign-in may be old, where this one is older. @type {string | undefined} */
    this.maxAge = /insufficient_user_authentication.*max_age="?(\d+)/.exec(challenge ?? "")?.[1];
  }
}

/**
 * @param {string} path
 * @param {{body?: object, method?: string, accept?: string, headers?: Record<string, string>, background?: boolean,
 *   signal?: AbortSignal}} [options] `background`: the page asks by itself
 * @throws Refused; TypeError where the gateway does not answer
 */
export async function request(path, options = {}) {
  const { body, method, accept = "application/json", headers = {}, background = false } = options;
  const signal = options.signal ?? (background ? AbortSignal.timeout(BACKGROUND_MS) : undefined);
  const answer = await fetch(path, {
    method: method ?? (body ? "POST" : "GET"),
    headers: {
      accept,
      "interlock-console": background && mark === "session" ? "session-background" : mark,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(hasToken() ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
    credentials: "same-origin",
    cache: "no-store",
  });
  if (answer.ok) return answer;
  throw new Refused(
    answer.status,
    await answer.json().catch(() => ({})),
    answer.headers.get("www-authenticate"),
  );
}

/** @param {string} path @param {Parameters<typeof request>[1]} [options] */
export const getJson = async (path, options) => (await request(path, options)).json();

/** @param {string} path @param {object} body @param {Parameters<typeof request>[1]} [options] */
export const postJson = async (path, body, options) =>
  (await request(path, { ...options, body, method: "POST" })).json();

/** A query string of what is set. @param {Record<string, unknown>} values */
export function queryOf(values) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return set.length === 0 ? "" : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

/** Who looks at this page; asked once. Null for somebody whom the gateway does not know. @type {Promise<any> | undefined} */
let known;
export function whoAmI() {
  known ??= getJson("/api/v1/me").then(
    (me) => {
      if (me.issuer !== "local" && !hasToken()) mark = "session";
      return me;
    },
    (error) => {
      if (error instanceof Refused && error.status === 401) return null;
      known = undefined;
      throw error;
    },
  );
  return known;
}

/** A key under which an effect takes place once. Not `randomUUID`, which pages without TLS lack. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where to sign in, and come back from to this very place. @param {string} [maxAge] */
export const signInAddress = (maxAge) =>
  `/console/sign-in${queryOf({ return: location.pathname + location.search, max_age: maxAge })}`;

const STREAM = "text/event-stream, application/json";
/** How often a stream that was cut is read on, and after how many milliseconds. */
const TRIES = 5;
const PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 5_000;
/** After how long the page gives up a request that it made by itself. */
const BACKGROUND_MS = 60_000;

/**
 * Sends a message and yields its events, in the chat dialect, up to the one with `done`. A stream that is cut is read on where it was cut.
 * @param {string} message @param {string} session @param {object} [inputs] beside the message
 */
export async function* ask(message, session, inputs) {
  let answer = await request("/api/v1/chat?stream=true&on_disconnect=continue", {
    body: { message, session_id: session, ...(inputs ? { inputs } : {}) },
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

/**
 * A run's events from a cursor on, up to its end; read on where the stream is cut, or ended because the run came to rest.
 * @param {string} run @param {number} after the last seq that is known @param {AbortSignal} signal
 */
export async function* runEvents(run, after, signal) {
  let seq = after;
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      const path = `/api/v1/runs/${run}/events?after=${seq}`;
      const answer = await request(path, { accept: STREAM, signal, background: true });
      if (answer.status === 204) return;
      for await (const event of eventsOf(answer)) {
        seq = event.seq;
        tries = 0;
        yield event;
        if (ENDS.has(event.type)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      // A gateway that is away comes back, or another one answers in its place.
      if (error instanceof Refused && error.status < 500) throw error;
    }
    // For as long as somebody looks: the page says by itself that the gateway does not answer.
    await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE_MS * (tries + 1), MOST_PAUSE_MS)));
  }
}

const ENDS = new Set(["run_finished", "run_failed", "run_cancelled", "reset"]);

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
