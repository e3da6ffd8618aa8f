import type { Bounds } from "./bounds.ts";
import { type CardSeen, type Evidence, type Inputs, MUST_REFUSE, type ProbeName } from "./evidence.ts";
import { AgentUnderCheck, type Hooks, type Target } from "./probes/agent-under-check.ts";
import { planBehaviours } from "./probes/behaviours.ts";
import { bodiesToRefuse, oddInputs } from "./probes/bodies.ts";
import { askForDescription } from "./probes/describe.ts";
import { askForRun, askForRuns, type RunPlan } from "./probes/runs.ts";
import { runOutcome } from "./run-outcome.ts";

export type ObserveOptions = Hooks & {
  readonly inputs?: Inputs | undefined;
  readonly bounds: Bounds;
  /** Selects the probes to make. By default all of them. */
  readonly wanted?: (probe: ProbeName) => boolean;
};

/** Number of concurrent requests to an agent, after the two basic runs. */
const AT_ONCE = 4;

/** Sends all probes to one agent, within its time limit, and returns what it observed. */
export async function observe(target: Target, options: ObserveOptions): Promise<Evidence> {
  const { bounds, wanted = () => true } = options;
  const agent = new AgentUnderCheck(target, bounds, options);
  const card = await askForDescription(agent);
  const seen = {
    exchanges: agent.exchanges,
    card,
    inputsFrom: "sample",
    leftOut: new Map(),
    sameAnswer: undefined,
    eventBytes: agent.eventBytes,
    bounds,
  } as const;
  if (!connects(agent)) return seen;

  const plan = await askForRuns(agent, options.inputs, card);
  if (!agent.hasAnswered) return seen;
  await inParallel(AT_ONCE, refusals(agent, wanted));
  const behaviours = planBehaviours(agent, plan, wanted);
  const odd = wanted("odd inputs") ? oddRuns(agent, plan, card) : [];
  await inParallel(AT_ONCE, [...odd, ...behaviours.jobs]);
  return {
    ...seen,
    inputsFrom: plan.inputsFrom,
    leftOut: behaviours.leftOut,
    sameAnswer: behaviours.sameAnswer(),
  };
}

/** If nothing listens there, further probes would be pointless. */
function connects({ exchanges }: AgentUnderCheck): boolean {
  return exchanges.some(({ reply }) => reply.kind === "answer" || reply.why !== "connect");
}

type Job = () => Promise<unknown>;

function refusals(agent: AgentUnderCheck, wanted: (probe: ProbeName) => boolean): Job[] {
  const bodies = bodiesToRefuse(agent.newRequestId(), agent.taskType, agent.canary);
  const isMust = ({ probe }: { readonly probe: ProbeName }): boolean => MUST_REFUSE.includes(probe);
  const ordered = [...bodies.filter(isMust), ...bodies.filter((body) => !isMust(body))];
  return ordered
    .filter(({ probe }) => wanted(probe))
    .flatMap(({ probe, text, ...rest }) =>
      (["sync", "stream"] as const).map(
        (endpoint) => () =>
          agent.ask(probe, { ...rest, endpoint, body: text, limitMs: agent.bounds.quickMs, small: true }),
      ),
    );
}

function oddRuns(agent: AgentUnderCheck, plan: RunPlan, card: CardSeen | undefined): Job[] {
  const known = plan.inputsFrom === "sample" ? card?.example : plan.inputs;
  const names = [...new Set([...(card?.inputNames ?? []), ...Object.keys(known ?? {})])];
  return oddInputs(agent.canary, names, known).flatMap(({ what, inputs }) =>
    (["sync", "stream"] as const).map(
      (endpoint) => () =>
        askForRun(agent, "odd inputs", endpoint, plan, { what, inputs, limitMs: limitFor(agent, endpoint) }),
    ),
  );
}

/** If the basic run did not end in time, do not wait long for runs on odd inputs. */
function limitFor({ exchanges, bounds }: AgentUnderCheck, endpoint: ProbeName): number {
  const run = exchanges.find(({ probe }) => probe === endpoint);
  return run !== undefined && runOutcome(run).kind !== "unknown" ? bounds.runMs : bounds.quickMs;
}

async function inParallel(atOnce: number, jobs: readonly Job[]): Promise<void> {
  const left = [...jobs];
  const worker = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await job();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
