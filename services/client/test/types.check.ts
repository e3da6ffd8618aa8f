/** Compiled, never run: the types that callers can rely on, and the calls that the compiler refuses. */
import {
  type ChatEvent,
  type ChatResult,
  createClient,
  InterlockError,
  type RunEvent,
  RunFailedError,
  type RunResult,
  type StatusEvent,
  StreamInvalidError,
} from "../src/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function same<A, B>(_same: Same<A, B>): void {}

const client = createClient({ baseUrl: "https://mesh.example.com" });

export async function turns(): Promise<void> {
  const turn = client.chat("hello", { sessionId: "s" });
  same<typeof turn.result, Promise<ChatResult>>(true);
  same<typeof turn.runId, string | undefined>(true);
  for await (const event of turn) {
    same<typeof event, ChatEvent>(true);
    switch (event.type) {
      case "token":
        same<typeof event.token, string>(true);
        break;
      case "end":
        if (event.status === "paused") same<typeof event.approval.id, string>(true);
        if (event.status === "error") same<typeof event.code, string>(true);
        // @ts-expect-error an end has no token
        void event.token;
        break;
      case "reset":
        // @ts-expect-error a reset has no seq
        void event.seq;
        break;
      case "started":
      case "tool_call":
      case "progress":
      case "rest":
      case "other":
        same<typeof event.done, false>(true);
        break;
      default:
        event satisfies never;
    }
  }
  const end = await turn.result;
  same<typeof end.status, "ok" | "rejected" | "paused">(true);

  // @ts-expect-error a turn belongs to a session
  client.chat("hello", {});
  // @ts-expect-error onDisconnect is "continue" or "cancel"
  client.chat("hello", { sessionId: "s", onDisconnect: "perhaps" });
}

export async function runs(): Promise<void> {
  const log = client.runs.events("r");
  same<typeof log.result, Promise<RunResult | undefined>>(true);
  for await (const event of log) {
    same<typeof event, RunEvent>(true);
    if (event.type === "token") same<typeof event.data.text, string>(true);
    if (event.type === "run_failed") same<typeof event.data.code, string>(true);
    if (event.type === "run_paused") same<typeof event.data.approval.id, string>(true);
  }
  for await (const event of client.runs.events("r", { dialect: "chat", after: 3 }))
    same<typeof event, ChatEvent>(true);
  for await (const event of client.runs.events("r", { dialect: "status" }))
    same<typeof event, StatusEvent>(true);

  await client.runs.start({ sessionId: "s", flow: "pricing", goals: ["optimizer"] });
  await client.runs.start({ sessionId: "s", message: "hello" });
  // @ts-expect-error a run needs a message or a flow
  await client.runs.start({ sessionId: "s" });
  // @ts-expect-error there is no such state
  await client.runs.list({ state: "tired" });
  // @ts-expect-error a decision needs the proposal's hash
  await client.approvals.decide("a", { decision: "approve" });
}

export function failures(error: unknown): void {
  if (error instanceof RunFailedError)
    same<typeof error.outcome, "error" | "cancelled" | "needs_review">(true);
  if (error instanceof StreamInvalidError) {
    same<typeof error.lastSeq, number>(true);
    // @ts-expect-error reasons are a closed list
    void (error.reason === "bad luck");
  }
  if (error instanceof InterlockError) {
    same<typeof error.retryable, boolean>(true);
    // Codes are open: besides the client's own, the gateway may send any other.
    void (error.code === "stream_truncated" || error.code === "whatever_comes");
  }
}
