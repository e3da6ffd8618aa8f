import { follow, type Play, type Scenario, timing } from "./scenario.ts";

/** A simple ask without a stream. */
async function plainAsk({ api, ledger, random, caller, fresh }: Play): Promise<string | undefined> {
  const body = { message: "work", session_id: fresh("s"), inputs: timing(random) };
  const { status, body: answer } = await api.settle("POST", "/chat", caller, { body, key: fresh("ask") });
  if (typeof answer.thread_id === "string") ledger.acknowledge(answer.thread_id, caller, "ask");
  return status === 200 ? undefined : `${status} ${answer.code ?? ""}`;
}

/** A streamed simple ask or plan. Some share a session and wait for its previous turn. */
async function streamed(message: "work" | "change", play: Play): Promise<string | undefined> {
  const { api, random, caller, fresh } = play;
  const duration = timing(random);
  const sessionId = random.chance(0.3) ? `own-${caller.user}` : fresh("s");
  const stream = api.client(caller, `${message} streamed`).chat(message, {
    sessionId,
    inputs: message === "work" ? duration : { ...duration, gate: false },
    onDisconnect: "continue",
    multitask: "enqueue",
  });
  const { status } = await stream.result;
  return status === "ok" ? undefined : `ended ${status}`;
}

/** The client leaves in mid-stream. A plan goes on; a simple ask is cancelled, and so is its agent's task. */
async function leave({ api, ledger, random, caller, fresh }: Play): Promise<string | undefined> {
  const message = random.chance(0.5) ? "change" : "work";
  const inputs = message === "change" ? { ms: 300, beats: 2, gate: false } : { ms: 900, beats: 3 };
  const stream = api
    .client(caller, `${message}, client gone`)
    .chat(message, { sessionId: fresh("s"), inputs });
  let left = random.int(1, 6);
  for await (const _ of stream) if (--left === 0) break;
  if (stream.runId !== undefined) ledger.acknowledge(stream.runId, caller, `${message}, client gone`);
  return undefined;
}

/** Reads the log of an earlier run from somewhere in the middle. */
async function reread(play: Play): Promise<string | undefined> {
  const facts = [...play.ledger.runs.values()];
  if (facts.length === 0) return undefined;
  const fact = play.random.pick(facts);
  const { seen } = fact;
  await follow(play, fact, play.random.int(0, Math.max(0, seen.run.size - 1)));
  return undefined;
}

export const ASKS: readonly Scenario[] = [
  { name: "ask", weight: 5, play: plainAsk },
  { name: "ask streamed", weight: 3, play: (play) => streamed("work", play) },
  { name: "plan streamed", weight: 4, play: (play) => streamed("change", play) },
  { name: "client gone", weight: 2, play: leave },
  { name: "reread", weight: 2, play: reread },
];
