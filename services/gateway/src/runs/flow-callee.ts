import type { Callee, CalleeResult } from "../callees/index.ts";
import { effectsOf, type Flow, idWithin, type Step } from "../mesh/index.ts";
import type { StepResult } from "../store/index.ts";
import { answerOf, doneText } from "./endings.ts";
import { executeSteps } from "./execute-steps.ts";
import type { FlowContext } from "./flow-context.ts";
import { planOfFlow } from "./plan.ts";
import { refusalText } from "./refusal.ts";
import {
  actorOf,
  CallWaits,
  mergedInputs,
  type StepDeps,
  StepFailure,
  type StepScope,
} from "./steps/index.ts";

/**
 * The flow of a service as a callee: its steps are executed within the run that calls it, under names of the call, so that they are
 * journaled, resumed and approved like any others.
 * @param name of the service
 * @returns undefined where there is none, or where the caller may not have all of its goals
 */
export function flowCallee(name: string, scope: StepScope, deps: StepDeps): Callee | undefined {
  const { mesh, order, run } = scope;
  const service = mesh.services.get(name);
  const flow = service?.target.kind === "flow" ? mesh.flows.get(service.target.flow) : undefined;
  if (service?.target.kind !== "flow" || !flow) return undefined;
  const plan = planOfFlow(flow, service.target.goals);
  const caller = actorOf(order, run.keys.tenant);
  if (!plan.uses.every(({ resource }) => deps.may(caller, resource))) return undefined;
  const steps = plan.steps.flatMap(({ id }) => flow.steps.get(id) ?? []);
  const { acts, gatesItself } = effectsOf(steps);
  const parameters = parametersOf(flow, steps, deps);
  return {
    ...{ name, parameters, gatesItself, about: { agent: flow.name, task_type: "FLOW" }, reads: !acts },
    description: service.description ?? flow.description,
    judge: (args, signal) => deps.judge(parameters, args, signal),
    async call(args, { key, signal, trace }): Promise<CalleeResult> {
      const given = Object.keys(args).length > 0 || order.inputs !== undefined;
      const inputs = given
        ? await mergedInputs(scope.context.request.inputs, args)
        : { ...flow.defaultInputs };
      const isLive = given || flow.defaultInputs !== undefined;
      const results: Record<string, StepResult> = Object.create(null);
      for (const { id } of plan.steps) {
        const known = scope.results[idWithin(id, key)];
        if (known) results[id] = known;
      }
      // What was said constrains the flow that has read it, which is not this one.
      const context: FlowContext = {
        ...{ request: { ...scope.context.request, inputs }, steps: results, constraints: [] },
      };
      const ownId = new Map(plan.steps.map(({ id }) => [idWithin(id, key), id]));
      const idOf = (step: Step) => ownId.get(step.id) ?? step.id;
      try {
        const rest = await executeSteps(
          {
            ...{ ...scope, context, signal, trace, flow: flow.name },
            mode: isLive ? "LIVE" : "DEMO",
            onSample: !given && flow.defaultInputs !== undefined && !flow.tableNote,
            steps: plan.steps.map((step) => within(step, key)),
            resultOf: (step) => results[idOf(step)],
            keep: (step, result) => {
              results[idOf(step)] = result;
              scope.results[step.id] = result;
            },
            // A call that was begun goes on while its replica drains, as calls of other callees do.
            mayStart: () => true,
          },
          deps,
        );
        if (rest.kind === "waiting") throw new CallWaits(rest.step, rest.asked, rest.flow);
        if (rest.kind === "refused") {
          const refused = { ...rest, step: { ...rest.step, id: idOf(rest.step) } };
          return failed(refusalText(refused, flow));
        }
        const about = { run, plan, order, context };
        const otherwise = () => doneText(plan);
        const { text, outputs } = await answerOf(about, { mesh, signal, otherwise });
        const warnings = Object.values(results).flatMap((result) => result.warnings);
        return { outputs: { text, ...outputs }, text, warnings, isError: false, cached: "bypass" };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StepFailure) return failed(`${error.failure.code}: ${error.failure.message}`);
        throw error;
      }
    },
  };
}

function failed(text: string): CalleeResult {
  return { outputs: { error: text }, text, warnings: [], isError: true, cached: "bypass" };
}

function within(step: Step, key: string): Step {
  const named = (id: string) => idWithin(id, key);
  return { ...step, id: named(step.id), needs: step.needs.map(named), after: step.after.map(named) };
}

/** The inputs that a flow takes, each as the card of the first agent describes it that has it and does so without references. */
export function parametersOf(
  { accepts }: Flow,
  steps: readonly Step[],
  { schemasOf }: Pick<StepDeps, "schemasOf">,
): object {
  if (!accepts) return { type: "object", additionalProperties: true };
  const known: Record<string, unknown> = Object.create(null);
  for (const step of steps) {
    if (step.kind !== "agent") continue;
    const { inputs } = schemasOf(step.agent, step.taskType);
    for (const [name, schema] of Object.entries(Object(inputs?.properties)))
      if (!(name in known) && !JSON.stringify(schema).includes('"$ref"')) known[name] = schema;
  }
  const properties = Object.fromEntries([...accepts].map((name) => [name, known[name] ?? {}]));
  return { type: "object", properties, additionalProperties: false };
}
