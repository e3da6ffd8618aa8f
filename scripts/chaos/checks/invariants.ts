import { auditTenant, auditTenants } from "../../lib/audit.ts";
import { replay } from "../api.ts";
import { type Answer, type Dialect, type Ledger, neutral, type RunFact } from "../ledger.ts";
import { inParallel } from "../pace.ts";
import type { Random } from "../random.ts";
import { LEDGER } from "../worker/effect-ledger.ts";
import type { Gateway, World } from "../world.ts";
import { checkCancel } from "./cancel.ts";
import { checkDecisions } from "./decisions.ts";
import { checkEffects } from "./effects.ts";
import { checkLog, checkSeen, checkTurns, type Event, eventsOf, type Finding } from "./log.ts";
import { digestOf, readApproval, readPriceBook, readRun, type StoredRun } from "./store.ts";

const NO_ANSWER = { status: 0, events: [] };

type Scope = {
  world: World;
  ledger: Ledger;
  random: Random;
  /** Skips the checks that read a log through the gateways: they may refuse to serve a corrupted one. */
  storeOnly?: boolean;
};

/** Checks every run that was not checked before, and the decision logs. */
export async function checkInvariants(scope: Scope): Promise<void> {
  const { world, ledger } = scope;
  const books = new Map<string, Map<string, string[]>>();
  for (const { caller } of ledger.runs.values()) {
    if (!books.has(caller.tenant))
      books.set(caller.tenant, await readPriceBook(world.observer, caller.tenant));
  }
  const applied = await world.observer.hgetall(LEDGER.applied);
  const timeOf = async (key: string) => {
    const times = await world.observer.hgetall(key);
    return (runStep: string) => (times[runStep] === undefined ? undefined : Number(times[runStep]));
  };
  const [begun, aborted, ended] = await Promise.all(
    [LEDGER.begun, LEDGER.aborted, LEDGER.ended].map((key) => timeOf(key)),
  );
  const answers = Map.groupBy(ledger.answers, ({ runId }) => runId);
  const open = [...ledger.runs.values()].filter(({ sealed }) => sealed === undefined);
  await inParallel(open, 6, async (fact) => {
    const stored = await readRun(world.observer, fact.caller.tenant, fact.id);
    const published = books.get(fact.caller.tenant)?.get(`${fact.id}:release`) ?? [];
    const effects = { published, applied: Number(applied[`${fact.id}:apply`] ?? 0) };
    const events = eventsOf(stored);
    const failure = stored.record.kind === "plan" ? failureOf(events) : undefined;
    if (failure !== undefined) {
      ledger.failedPlans.push(fact.id);
      ledger.violate("plan failed though everything healed", fact.id, `${fact.scenario}: ${failure}`);
    }
    const taskOf = (node: string) => ({
      begunAt: begun?.(`${fact.id}:${node}`),
      abortedAt: aborted?.(`${fact.id}:${node}`),
      endedAt: ended?.(`${fact.id}:${node}`),
    });
    const findings = [
      ...checkLog(fact, stored),
      ...checkSeen(fact, stored),
      ...checkTurns(fact, stored),
      ...checkEffects(events, effects),
      ...(endedCalmly(ledger, events) ? checkCancel(fact, events, taskOf) : []),
      ...(await checkApprovals(scope, fact, stored, answers.get(fact.id) ?? [])),
      ...(scope.storeOnly ? [] : await checkReplays(scope, fact, stored)),
    ];
    for (const { kind, detail } of findings) ledger.violate(kind, fact.id, `${fact.scenario}: ${detail}`);
    fact.sealed = digestOf(stored);
    fact.seen.run.clear();
    fact.seen.chat.clear();
  });
  for (const tenant of await auditTenants(world.observer)) {
    const { broken, problems } = await auditTenant(world.observer, tenant);
    if (broken) ledger.violate("decision log broken", tenant, `${broken.place} ${broken.why}`);
    for (const problem of problems) ledger.violate("records contradict each other", tenant, problem);
  }
}

/** With what and where a run failed, or is left for a person. */
function failureOf(events: readonly Event[]): string | undefined {
  const last = events.at(-1);
  if (last?.type !== "run_failed" && last?.type !== "run_parked") return undefined;
  const { code, agent_code, node, error } = last.data;
  return [code, agent_code, node, error].filter((part) => part !== undefined).join(", ");
}

/** Whether no fault was active around the end of a run. */
function endedCalmly(ledger: Ledger, events: readonly Event[]): boolean {
  const end = Date.parse(String(events.at(-1)?.at));
  return !ledger.disturbed({ from: end - 2_000, to: end + 2_000 });
}

/** Checks that nothing was written to runs after they ended: the logs of checked runs are unchanged. */
export async function checkSeals({ world, ledger }: Scope): Promise<void> {
  await inParallel([...ledger.runs.values()], 12, async (fact) => {
    // Not those either that were given up unfinished.
    if (fact.sealed === undefined || fact.sealed === "") return;
    const stored = await readRun(world.observer, fact.caller.tenant, fact.id);
    if (digestOf(stored) !== fact.sealed) ledger.violate("changed after its end", fact.id, fact.scenario);
  });
}

async function checkApprovals(
  { world }: Scope,
  fact: RunFact,
  stored: StoredRun,
  answers: readonly Answer[],
): Promise<Finding[]> {
  const id = stored.record.approval;
  if (id === undefined) return [];
  const { state = "", winner } = await readApproval(world.observer, fact.caller.tenant, id);
  const decided = eventsOf(stored).filter(({ type }) => type === "approval_decided").length;
  return checkDecisions(answers, {
    state,
    winner: winner === undefined ? undefined : JSON.parse(winner),
    decided,
    runState: stored.record.state ?? "",
  });
}

/** Checks that every gateway serves the log as stored, from the start and from any seq. */
async function checkReplays({ world, random }: Scope, fact: RunFact, stored: StoredRun): Promise<Finding[]> {
  const lines = stored.log.flatMap((entry) => entry.lines);
  const findings: Finding[] = [];
  const read = async (gateway: Gateway, dialect: Dialect, after: number) => {
    const { status, events } = await replay(gateway.url, fact.caller, fact.id, dialect, after).catch(
      () => NO_ANSWER,
    );
    if (status !== 200)
      findings.push({ kind: "replay refused", detail: `${gateway.name} after ${after}: ${status}` });
    return status === 200 ? events : undefined;
  };
  for (const gateway of world.gateways) {
    const after = random.chance(0.5) ? 0 : random.int(0, Math.max(0, lines.length - 1));
    const events = await read(gateway, "run", after);
    const same = events?.every(([seq, text]) => lines[seq - 1] === text) ?? true;
    if (!same || (events && events.length !== lines.length - after)) {
      findings.push({ kind: "replay differs from the log", detail: `${gateway.name} after ${after}` });
    }
  }
  if (fact.seen.chat.size > 0) {
    const events = await read(random.pick(world.gateways), "chat", 0);
    const texts = new Map(events?.map(([seq, data]) => [seq, neutral(data)]));
    const missing = events ? [...fact.seen.chat].filter(([seq, text]) => texts.get(seq) !== text) : [];
    const detail = `chat ${missing.map(([seq]) => seq).join(" ")}`;
    if (missing.length > 0) findings.push({ kind: "seen event not in the log", detail });
  }
  return findings;
}
