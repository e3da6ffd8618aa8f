import { HttpAgent } from "@ag-ui/client";
import type { Peer, PeerAsk } from "./openai-peers.ts";

/** Keeps the library from writing a line about a failure. */
const HANDLED: object = { stopPropagation: true };

/**
 * The platform's fetch, whose bodies end where they are cut: the library would leave a rejection of its own to nobody. What has no last event is
 * a failure all the same.
 */
const ending: typeof fetch = async (url, init) => {
  const answer = await fetch(url, init);
  const reader = answer.ok ? answer.body?.getReader() : undefined;
  if (!reader) return answer;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const read = await reader.read().catch(() => undefined);
      if (read?.value) controller.enqueue(read.value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason).catch(() => undefined),
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
};

async function run(
  { url, message, headers, service, session, signal }: PeerAsk,
  onBegun?: () => void,
): Promise<string> {
  const path = service === undefined ? "/ag-ui" : `/ag-ui/${service}`;
  const agent = new HttpAgent({ url: url + path, headers, threadId: session, fetch: ending });
  agent.addMessage({ id: "asked", role: "user", content: message });
  const abortController = new AbortController();
  signal?.addEventListener("abort", () => abortController.abort());
  let text = "";
  let outcome: string | undefined;
  let failure: unknown;
  await agent.runAgent(
    // Asked again under the same name it is the same request.
    { runId: `run-of-${session}`, abortController },
    {
      onEvent: () => onBegun?.(),
      onTextMessageContentEvent({ event }) {
        text += event.delta;
      },
      onRunFinishedEvent({ outcome: type }) {
        outcome = type;
      },
      onRunErrorEvent({ event }) {
        failure = event;
      },
      onRunFailed({ error }) {
        failure = error;
        return HANDLED;
      },
    },
  );
  if (failure !== undefined) {
    const { status, payload, code } = Object(failure);
    throw Object.assign(new Error("failed"), { status, code: payload?.code ?? code });
  }
  if (outcome !== "success" && outcome !== "interrupt") throw new Error("the stream ended without its end");
  return text;
}

/** Every run of this protocol is a stream. */
export const AG_UI_PEERS: readonly Peer[] = [
  {
    name: "AG-UI",
    streams: true,
    refusal: (status, code) => ({ status, code }),
    ask: (asked) => run(asked),
    stream: run,
  },
];
