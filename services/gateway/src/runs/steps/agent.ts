import { GatewayError } from "../../errors.ts";
import { encoded, JsonText } from "../../json-text.ts";
import type { AgentStep, ToolStep } from "../../mesh/index.ts";
import { type StepResult, writeResult } from "../../store/index.ts";
import { announce } from "./announce.ts";
import { askAgent, type Inputs } from "./ask-agent.ts";
import { OutcomeUnknown } from "./failure.ts";
import { isOutcomeKnown } from "./patience.ts";
import { finishedEvent } from "./step-events.ts";
import type { StepAbout, StepDeps, StepKind, StepScope } from "./step-kind.ts";
import { shownWhole, wholeOutputs } from "./whole-outputs.ts";

/** Asks an agent, as often as the step's repair rule says, and journals its outputs. */
export const agent: StepKind<AgentStep> = {
  asksAgent: true,
  about: aboutAgent,
  execute,
};

function aboutAgent(step: AgentStep): StepAbout {
  return { agent: step.agent, task_type: step.taskType };
}

async function execute(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run, signal } = scope;
  const judged = step.effect === undefined ? undefined : await judgedInputs(step, scope);
  if (step.effect !== undefined || run.announced !== step.id)
    await announce({ ...step, about: aboutAgent(step) }, scope, deps);
  const started = performance.now();
  let result: StepResult;
  try {
    result = await askWithRepairs(step, judged, scope, deps);
    if (step.show === wholeOutputs && result.outputs) result.outputs = await shownWhole(result.outputs);
  } catch (error) {
    if (step.effect === "once" && !isOutcomeKnown(error)) throw new OutcomeUnknown();
    throw error;
  }
  // Record an effect that happened even if the run is being stopped.
  if (step.effect === undefined) signal.throwIfAborted();
  const event = await finishedEvent(step, aboutAgent(step), result, started);
  if (run.journaled) await run.journal(step.id, await encoded(...writeResult(result)), event);
  else await run.append(event);
  return result;
}

/** What an effect takes. One that was begun was judged before, and may have happened. */
export async function judgedInputs(step: AgentStep | ToolStep, scope: StepScope): Promise<Inputs> {
  const inputs = asInputs(await step.inputs(scope.context, scope.signal));
  if (!scope.begun.has(step.id)) await scope.verify(step, inputs, scope.signal);
  return inputs;
}

async function askWithRepairs(
  step: AgentStep,
  judged: Inputs | undefined,
  scope: StepScope,
  deps: StepDeps,
): Promise<StepResult> {
  let inputs = judged ?? asInputs(await step.inputs(scope.context, scope.signal));
  // Record the outcome of an effect even if the run is being stopped.
  const signal = step.effect === undefined ? scope.signal : undefined;
  for (let round = 0; ; round++) {
    const { outputs, warnings } = await askAgent(step, { inputs, round }, scope, deps);
    const { repair, keep } = step;
    const sample = sampleOf(inputs, scope);
    if (!repair && !keep) return { outputs, warnings, ...sample };
    const seen = { ...scope.context, inputs, outputs, rounds: round + 1 };
    if (!repair || round >= repair.maxRounds || (await repair.when(seen, signal)) !== true) {
      const result: StepResult = { outputs, warnings, ...sample };
      if (repair) result.rounds = round + 1;
      if (keep) result.kept = await keep(seen, signal);
      return result;
    }
    await scope.run.append({
      type: "step_repair",
      node: step.id,
      data: { round: round + 1, max_rounds: repair.maxRounds },
    });
    inputs = asInputs(await repair.inputs(seen, signal));
    if (step.effect !== undefined) await scope.verify(step, inputs, scope.signal);
  }
}

/** An agent that is asked for a demonstration and gets nothing uses a sample of its own. */
function sampleOf(inputs: Inputs, { mode, onSample }: StepScope): Pick<StepResult, "sample"> {
  if (onSample) return { sample: "flow" };
  const isEmpty = !(inputs instanceof JsonText) && Object.keys(inputs).length === 0;
  return mode === "DEMO" && isEmpty ? { sample: "agent" } : {};
}

export function asInputs(value: unknown): Inputs {
  if (value instanceof JsonText && value.text.startsWith("{")) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof JsonText) {
    throw new GatewayError("flow_failed", "The inputs of the step are not an object.");
  }
  return { ...value };
}
