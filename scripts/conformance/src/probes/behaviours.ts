import type { Bounds } from "../bounds.ts";
import type { Exchange, ProbeName } from "../evidence.ts";
import { runOutcome } from "../run-outcome.ts";
import { notApplicable, notReached, type Verdict } from "../verdict.ts";
import type { AgentUnderCheck } from "./agent-under-check.ts";
import { answerDigest } from "./answer-digest.ts";
import { askForRun, type RunPlan } from "./runs.ts";

/** How a run should behave (the SHOULD rules). Each takes one or two more runs, once the basic run has succeeded. */
type Behaviour = {
  readonly probe: ProbeName;
  readonly needs: "sync" | "stream";
  /** A shorter run ends before the behaviour can show. */
  readonly shortestMs: (bounds: Bounds) => number;
  readonly ask: (agent: AgentUnderCheck, plan: RunPlan, answers: Answers) => Promise<unknown>;
};

/** Digests of the answers to a repeated request. */
type Answers = (string | undefined)[];

function anyLength(): number {
  return 0;
}

const BEHAVIOURS: readonly Behaviour[] = [
  {
    probe: "unknown fields",
    needs: "sync",
    shortestMs: anyLength,
    ask: (agent, plan) =>
      askForRun(agent, "unknown fields", "sync", plan, {
        what: "fields that no agent knows",
        more: { x_unknown: { list: [1, "two"] }, conformance_probe: true },
      }),
  },
  {
    probe: "traceparent",
    needs: "sync",
    shortestMs: anyLength,
    ask: (agent, plan) =>
      askForRun(agent, "traceparent", "sync", plan, {
        what: "a traceparent header",
        headers: { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
      }),
  },
  {
    probe: "repeat",
    needs: "sync",
    shortestMs: anyLength,
    ask: async (agent, plan, answers) => {
      const requestId = agent.newRequestId();
      for (const what of ["an Idempotency-Key", "the same Idempotency-Key again"]) {
        await askForRun(agent, "repeat", "sync", plan, {
          what,
          requestId,
          headers: { "idempotency-key": requestId },
          look: (body) => answers.push(answerDigest(body)),
        });
      }
    },
  },
  {
    probe: "deadline",
    needs: "stream",
    shortestMs: ({ graceMs }) => graceMs * 2,
    ask: (agent, plan) => {
      const timeoutMs = agent.bounds.graceMs / 4;
      return askForRun(agent, "deadline", "stream", plan, {
        what: "budgets.timeout_ms",
        more: { budgets: { timeout_ms: timeoutMs } },
        limitMs: timeoutMs + agent.bounds.graceMs * 1.5,
      });
    },
  },
  {
    probe: "hang up",
    needs: "stream",
    shortestMs: ({ leaveMs }) => leaveMs * 2,
    ask: (agent, plan) =>
      askForRun(agent, "hang up", "stream", plan, { hangUp: true, limitMs: agent.bounds.leaveMs * 1.5 }),
  },
];

export type BehaviourPlan = {
  readonly jobs: readonly (() => Promise<unknown>)[];
  readonly leftOut: ReadonlyMap<ProbeName, Verdict>;
  /** Whether a repeated request got the same answer. Call it when the jobs are done. */
  readonly sameAnswer: () => boolean | undefined;
};

export function planBehaviours(
  agent: AgentUnderCheck,
  plan: RunPlan,
  wanted: (probe: ProbeName) => boolean,
): BehaviourPlan {
  const runs = { sync: firstRun(agent, "sync"), stream: firstRun(agent, "stream") };
  const leftOut = new Map<ProbeName, Verdict>();
  const jobs: (() => Promise<unknown>)[] = [];
  const answers: Answers = [];
  for (const { probe, needs, shortestMs, ask } of BEHAVIOURS.filter((behaviour) => wanted(behaviour.probe))) {
    const run = runs[needs];
    if (run === undefined) leftOut.set(probe, notReached(`it takes a ${needs} run that succeeds`));
    else if (run.reply.ms < shortestMs(agent.bounds)) leftOut.set(probe, overTooSoon(run));
    else jobs.push(() => ask(agent, plan, answers));
  }
  return { jobs, leftOut, sameAnswer: () => sameOf(answers) };
}

function firstRun(agent: AgentUnderCheck, probe: ProbeName): Exchange | undefined {
  return agent.exchanges.find((seen) => seen.probe === probe && runOutcome(seen).kind === "ok");
}

function overTooSoon({ reply }: Exchange): Verdict {
  return notApplicable(`its runs are over too soon to tell (in ${(reply.ms / 1000).toFixed(1)} s)`);
}

function sameOf([first, second]: Answers): boolean | undefined {
  return first === undefined || second === undefined ? undefined : first === second;
}
