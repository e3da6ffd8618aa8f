import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { localToken } from "../lib/local-issuer.ts";

const REQUESTER = "ann";
const APPROVER = "lee";

/** An approval that waits, with its run and the session in which it was asked for. */
export type Waiting = { session: string; run: string; approval: string; hash: string };

/** What was left in the store. */
export type Left = {
  /** Who asked, an analyst, and who may approve, a `pricing_approver`; of tenant `default`. */
  requester: string;
  approver: string;
  /** Each is for one test: to be approved, rejected, edited, withdrawn, and to expire. */
  waiting: Record<"approve" | "reject" | "edit" | "withdraw" | "expire", Waiting>;
  /** A run that published, and what the book says of it, without its payload: that has the hash of what was approved. */
  published: { run: string; entry: object };
  /** A session with constraints in force and an open question, and the likely answers that it offered. */
  session: { id: string; constraints: string; question: string; buttons: readonly string[] };
  /** A plan whose third step was under way when the gateway was killed, and what it had done. */
  plan: { session: string; run: string; done: readonly string[] };
  /** An ask whose only step was under way. */
  ask: { session: string; run: string };
};

export type Hands = { freeze: () => void; killGateway: () => Promise<void> };

type Event = { seq: number; type: string; node?: string; data: Record<string, unknown> };
type Json = Record<string, unknown>;

/** Leaves one of each of what outlives an upgrade, and kills the gateway. */
export async function leave(url: string, { freeze, killGateway }: Hands): Promise<Left> {
  const waitingRun = async (): Promise<Waiting> => {
    const session = randomUUID();
    const run = await start(url, session, "Propose prices and publish them");
    const { data } = await eventOf(url, run, ({ type }) => type === "run_paused");
    const { id, proposal_hash } = data.approval as { id: string; proposal_hash: string };
    return { session, run, approval: id, hash: proposal_hash };
  };
  const waiting = {
    approve: await waitingRun(),
    reject: await waitingRun(),
    edit: await waitingRun(),
    withdraw: await waitingRun(),
    expire: await waitingRun(),
  };

  const { run, approval, hash } = await waitingRun();
  const decision = { decision: "approve", proposal_hash: hash };
  await ask(url, `/api/v1/approvals/${approval}/decision`, { body: decision, approver: true });
  await eventOf(url, run, ({ type }) => type === "run_finished");
  const { entries } = (await ask(url, "/api/v1/price-book")) as { entries: Json[] };
  const found = entries.find((one) => one.run_id === run);
  if (!found) throw new Error("the book does not have what was published");
  const { payload: _, ...entry } = found;

  const id = randomUUID();
  const constraints = "Propose prices for EMEA with a maximum change of 5 %";
  await chat(url, id, constraints);
  const asked = await chat(url, id, "Propose prices with a cap on price changes and a floor on the margin");
  const session = {
    id,
    constraints,
    question: String(asked.message),
    buttons: (asked.buttons ?? []) as string[],
  };

  freeze();
  const plan = { session: randomUUID(), run: "", done: ["optimize", "check"] };
  plan.run = await start(
    url,
    plan.session,
    "Propose Q1 prices that respect the hierarchy, then explain the drivers",
  );
  await eventOf(url, plan.run, ({ type, node }) => type === "step_started" && node === "explain");
  const ask1 = { session: randomUUID(), run: "" };
  const answer = chat(url, ask1.session, "Explain what drives the proposed prices").catch(() => ({}));
  for (let turns: Json[] = []; ask1.run === ""; ) {
    const found = await fetch(`${url}/api/v1/sessions/${ask1.session}`, { headers: await headersOf(false) });
    if (found.ok) turns = ((await found.json()) as { turns: Json[] }).turns;
    ask1.run = String(turns[0]?.run_id ?? "");
    await delay(50);
  }
  await killGateway();
  await answer;
  return {
    requester: REQUESTER,
    approver: APPROVER,
    waiting,
    published: { run, entry },
    session,
    plan,
    ask: ask1,
  };
}

async function start(url: string, session: string, message: string): Promise<string> {
  const { run_id } = await ask(url, "/api/v1/runs", { body: { session_id: session, message } });
  return String(run_id);
}

function chat(url: string, session: string, message: string): Promise<Json> {
  return ask(url, "/api/v1/chat", { body: { session_id: session, message } });
}

/** Waits for an event of a run. @throws where the run ends without it */
async function eventOf(url: string, run: string, wanted: (event: Event) => boolean): Promise<Event> {
  for (;;) {
    const response = await fetch(`${url}/api/v1/runs/${run}/events?after=0`, {
      headers: await headersOf(false),
    });
    const decoder = new TextDecoder();
    let text = "";
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      const events = [...text.matchAll(/^data: (.*)\n\n/gm)].map(
        ([, data = ""]) => JSON.parse(data) as Event,
      );
      const found = events.find(wanted);
      if (found) return found;
    }
    if (/"type":"run_(?:finished|failed|cancelled|paused)"/.test(text))
      throw new Error(`the run ${run} came to rest otherwise:\n${text.slice(-1_000)}`);
  }
}

async function ask(
  url: string,
  path: string,
  { body, approver = false }: { body?: object; approver?: boolean } = {},
): Promise<Json> {
  const headers = await headersOf(approver);
  const init = body
    ? {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      }
    : { headers };
  const response = await fetch(url + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}

async function headersOf(approver: boolean): Promise<Record<string, string>> {
  const [user, role] = approver ? [APPROVER, "pricing_approver"] : [REQUESTER, "analyst"];
  return { authorization: `Bearer ${await localToken({ user, roles: [role] })}` };
}
