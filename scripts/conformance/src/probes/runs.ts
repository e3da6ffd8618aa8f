import type { CardSeen, Exchange, Inputs, InputsFrom, ProbeName } from "../evidence.ts";
import { runOutcome } from "../run-outcome.ts";
import type { AgentUnderCheck, Question } from "./agent-under-check.ts";

/** The inputs for all runs of this check. */
export type RunPlan = {
  readonly inputs: Inputs;
  readonly inputsFrom: InputsFrom;
};

type RunOptions = Partial<Omit<Question, "endpoint" | "body">> & {
  /** More fields of the request. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly inputs?: Inputs;
};

/** Sends a run request, valid unless the options change that. */
export function askForRun(
  agent: AgentUnderCheck,
  probe: ProbeName,
  endpoint: "sync" | "stream",
  plan: RunPlan,
  { more = {}, inputs = plan.inputs, ...options }: RunOptions = {},
): Promise<Exchange | undefined> {
  const requestId = options.requestId ?? agent.newRequestId();
  const body = { request_id: requestId, task_type: agent.taskType, mode: "DEMO", inputs, ...more };
  const usual = { what: "a valid run request", limitMs: agent.bounds.runMs };
  return agent.ask(probe, { ...usual, ...options, endpoint, requestId, body: JSON.stringify(body) });
}

/**
 * Makes the two basic runs, which most rules judge. Uses the given inputs, else the agent's own sample, and if that
 * fails the first example of its card.
 */
export async function askForRuns(
  agent: AgentUnderCheck,
  given: Inputs | undefined,
  card: CardSeen | undefined,
): Promise<RunPlan> {
  const plan = await firstThatRuns(agent, plansFor(given, card));
  if (agent.hasAnswered) await askForRun(agent, "stream", "stream", plan);
  return plan;
}

function plansFor(given: Inputs | undefined, card: CardSeen | undefined): readonly RunPlan[] {
  if (given !== undefined) return [{ inputs: given, inputsFrom: "given" }];
  const sample: RunPlan = { inputs: {}, inputsFrom: "sample" };
  return card?.example === undefined ? [sample] : [sample, { inputs: card.example, inputsFrom: "card" }];
}

async function firstThatRuns(agent: AgentUnderCheck, plans: readonly RunPlan[]): Promise<RunPlan> {
  let used: RunPlan = { inputs: {}, inputsFrom: "sample" };
  for (const plan of plans) {
    used = plan;
    // Only the last attempt counts: a failed run on the sample is no defect if the example runs.
    const failedBefore = agent.exchanges.findIndex(({ probe }) => probe === "sync");
    if (failedBefore !== -1) agent.exchanges.splice(failedBefore, 1);
    const seen = await askForRun(agent, "sync", "sync", plan);
    if (seen === undefined || runOutcome(seen).kind !== "failed") break;
  }
  return used;
}
