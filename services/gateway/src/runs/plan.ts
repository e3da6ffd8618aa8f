import type { PlannedStep } from "@interlock/contracts";
import { LONGEST_WAIT_MS } from "../agents/index.ts";
import { toolName } from "../events/index.ts";
import type { Resource } from "../identity/index.ts";
import {
  type AgentService,
  type DialogueService,
  type Flow,
  isAgentService,
  isDialogueService,
  isRemoteService,
  isRoundsService,
  type Mesh,
  type RemoteService,
  type RoundsService,
  type Step,
  type Template,
} from "../mesh/index.ts";
import type { RunOrder, StepResult } from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import { joinedTexts, stepKindOf, wholeOutputs } from "./steps/index.ts";

/** The steps of one run in an order of execution; `needs` and `after` name only steps of the plan. */
export type Plan = {
  kind: "ask" | "plan" | "mirror";
  /** Flow or service name. */
  name: string;
  goals: readonly string[];
  steps: readonly Step[];
  /** The step whose result answers, and how its text is read. */
  answer: PlanAnswer | undefined;
  /** Where no step makes a text: the steps whose outputs are the answer. */
  answersWith?: AnswersWith;
  timeoutMs: number;
  /**
   * Whether the results of its steps are kept: for a holder that carries the run on, and for later turns of the conversation. Nobody
   * carries an ask on.
   */
  journaled: boolean;
  /** The service of another gateway whose run this one mirrors: there are no steps here. */
  mirrors?: RemoteService;
  /** The permissions that its caller needs. */
  uses: readonly Use[];
};

export type PlanAnswer = {
  step: string;
  text: (result: StepResult, context: Pick<FlowContext, "request">) => Promise<string | undefined>;
};

/** The outputs of one step as they are, or those of several by step. */
export type AnswersWith = { step: string } | { steps: readonly string[] };

/** @param step that wants the permission; absent: what the caller asks for */
export type Use = { resource: Resource; step?: string };

/** Each task that a plan asks an agent for, and each tool that its steps call. What a model may call is found out when it does. */
function usesOf(steps: readonly Step[]): Use[] {
  return steps.flatMap((step): Use[] => {
    switch (step.kind) {
      case "agent":
      case "dialogue":
        return [{ step: step.id, resource: { kind: "task", agent: step.agent, task: step.taskType } }];
      case "tool":
        return [{ step: step.id, resource: { kind: "tool", name: step.tool } }];
      default:
        return [];
    }
  });
}

/** The plan of a composite ask: the goals' steps, closed over `needs`, and the step that answers. */
export function planOfFlow(flow: Flow, goals: readonly string[], answering?: AgentService): Plan {
  const chosen = new Set<string>();
  const add = (id: string): void => {
    if (chosen.has(id)) return;
    chosen.add(id);
    for (const need of flow.steps.get(id)?.needs ?? []) add(need);
  };
  for (const goal of goals) for (const id of flow.goals.get(goal) ?? []) add(id);
  // Of several steps that do the service's task, the one that the goals ask for, or need.
  const answered =
    answering &&
    answeredStep(
      [...flow.steps.values()].filter(({ id }) => chosen.has(id)),
      answering,
    );
  if (!answered && flow.answer !== undefined) add(flow.answer);
  const answer = answered ? answerOfService(answered, answering) : answerOfStep(flow);
  const asked = answer ? [] : goals.flatMap((goal) => flow.goals.get(goal) ?? []);
  const steps: Step[] = inOrder([...flow.steps.values()].filter((step) => chosen.has(step.id))).map(
    (step) => ({
      ...step,
      after: step.after.filter((id) => chosen.has(id)),
      ...((step.kind === "agent" || step.kind === "tool") && !step.show && asked.includes(step.id)
        ? { show: wholeOutputs }
        : {}),
    }),
  );
  return {
    kind: "plan",
    name: flow.name,
    goals,
    steps,
    answer,
    ...(answer ? {} : { answersWith: { steps: [...new Set(asked)] } }),
    timeoutMs: flow.timeoutMs,
    journaled: true,
    uses: [
      // Without goals only the answer step is left: the request is for the flow itself.
      ...(goals.length === 0 ? [{ resource: { kind: "flow" as const, name: flow.name } }] : []),
      ...goals.map((goal) => ({ resource: { kind: "goal" as const, flow: flow.name, goal } })),
      ...usesOf(steps),
    ],
  };
}

/** The step that does what a service does. */
export function answeredStep(steps: Iterable<Step>, { target }: AgentService): string | undefined {
  for (const step of steps)
    if (step.kind === "agent" && step.agent === target.agent && step.taskType === target.taskType)
      return step.id;
  return undefined;
}

function answerOfStep({ answer, steps }: Flow): PlanAnswer | undefined {
  const step = answer === undefined ? undefined : steps.get(answer);
  if (step?.kind === "agent" || step?.kind === "tool")
    return { step: step.id, text: async ({ outputs }) => joinedTexts(await step.text({ outputs })) };
  return step && { step: step.id, text: async ({ text }) => text };
}

/** @param step that does the service's task */
function answerOfService(step: string, { target: { answer } }: AgentService): PlanAnswer | undefined {
  return (
    answer && {
      step,
      text: async ({ outputs, warnings }, { request }) =>
        joinedTexts(await answer({ outputs, warnings, request })),
    }
  );
}

/** An ask outlives its turn in the agent's queue and the agent's deadline: a late agent fails with its own error, not with the run's. */
const ASK_MARGIN_MS = LONGEST_WAIT_MS + 2_000;

/** The plan of a simple ask: one agent's task, and the text that the service makes of its outputs. */
function planOfAsk(service: AgentService, mesh: Mesh): Plan {
  const { name, target } = service;
  const plan = planOfTask({ name, ...target, answer: answerOfService(name, service) }, mesh);
  return {
    ...plan,
    journaled: [...mesh.flows.values()].some((flow) =>
      flow.proposal.includes(answeredStep(flow.steps.values(), service) ?? ""),
    ),
    uses: [{ resource: { kind: "service", name } }, ...plan.uses],
  };
}

/** The plan of one task, whose inputs are those of the request. @param asked.answer absent: its outputs are the answer */
function planOfTask(
  { name, agent, taskType, answer }: TaskAsked & { answer?: PlanAnswer | undefined },
  mesh: Mesh,
): Plan {
  const common = { needs: [], after: [], optional: false, inputs: requestInputs, text: noText };
  const shown = answer ? {} : { show: wholeOutputs };
  const steps: Step[] = [{ ...common, ...shown, kind: "agent", id: name, agent, taskType }];
  return {
    kind: "ask",
    name,
    goals: [name],
    steps,
    answer,
    ...(answer ? {} : { answersWith: { step: name } }),
    timeoutMs: timeoutOf(agent, mesh),
    journaled: false,
    uses: usesOf(steps),
  };
}

type TaskAsked = { name: string; agent: string; taskType: string };

/** The plan of a dialogue's turn: its agent's task, whose answer says what the user reads. */
function planOfTurn({ name, target }: DialogueService, mesh: Mesh): Plan {
  const { kind: _, ...task } = target;
  const steps: Step[] = [
    { ...task, kind: "dialogue", id: name, service: name, needs: [], after: [], optional: false },
  ];
  return {
    kind: "ask",
    name,
    goals: [name],
    steps,
    answer: { step: name, text: async ({ text }) => text },
    timeoutMs: timeoutOf(target.agent, mesh),
    journaled: false,
    uses: [{ resource: { kind: "service", name } }, ...usesOf(steps)],
  };
}

/** Rounds may take as long as a flow. */
const ROUNDS_MS = 180_000;

/** The plan of a tool-calling agent: one step, which is carried on where its run is. */
function planOfRounds({ name, target }: RoundsService): Plan {
  const { kind: _, ...rounds } = target;
  return {
    kind: "plan",
    name,
    goals: [name],
    steps: [{ ...rounds, kind: "rounds", id: name, service: name, needs: [], after: [], optional: false }],
    answer: { step: name, text: async ({ text }) => text },
    timeoutMs: ROUNDS_MS,
    journaled: true,
    uses: [{ resource: { kind: "service", name } }],
  };
}

function timeoutOf(agent: string, mesh: Mesh): number {
  return (mesh.agents.get(agent)?.limits.timeoutMs ?? 30_000) + ASK_MARGIN_MS;
}

/** The plan of what another gateway does. Whoever carries it on follows the run there from where this one is. */
function planOfRemote(service: RemoteService): Plan {
  const { name, target } = service;
  return {
    kind: "mirror",
    name,
    goals: [name],
    steps: [],
    answer: undefined,
    timeoutMs: target.timeoutMs,
    journaled: true,
    mirrors: service,
    uses: [{ resource: { kind: "service", name } }],
  };
}

/** An ask takes the inputs of its request as they are. */
const requestInputs: Template = async ({ request }) => Reflect.get(Object(request), "inputs");

/** Makes no text: the service's `answer` does. */
const noText: Template = async () => undefined;

const GENERAL: Plan = {
  kind: "ask",
  name: "general",
  goals: [],
  steps: [],
  answer: undefined,
  timeoutMs: 30_000,
  journaled: false,
  uses: [],
};

/** Makes plans from orders. A plan depends on order and manifest alone, so every replica comes to the same one. */
export class Planner {
  readonly #mesh: Mesh;
  readonly #services = new Map<string, Plan>();

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    for (const service of mesh.services.values()) {
      if (isAgentService(service)) this.#services.set(service.name, planOfAsk(service, mesh));
      else if (isDialogueService(service)) this.#services.set(service.name, planOfTurn(service, mesh));
      else if (isRoundsService(service)) this.#services.set(service.name, planOfRounds(service));
      else if (isRemoteService(service)) this.#services.set(service.name, planOfRemote(service));
    }
  }

  /** @returns undefined where the manifest does not know the order's flow or service any more */
  planOf({ target }: Pick<RunOrder, "target">): Plan | undefined {
    if (target.kind === "service") return this.#services.get(target.service);
    if (target.kind === "general") return GENERAL;
    if (target.kind === "task") return planOfNamedTask(target, this.#mesh);
    const flow = this.#mesh.flows.get(target.flow);
    const service = target.answer === undefined ? undefined : this.#mesh.services.get(target.answer);
    return flow && planOfFlow(flow, target.goals, service && isAgentService(service) ? service : undefined);
  }
}

function planOfNamedTask(
  { agent, task }: Extract<RunOrder["target"], { kind: "task" }>,
  mesh: Mesh,
): Plan | undefined {
  const isKnown = mesh.agents.get(agent)?.tasks.includes(task);
  return isKnown ? planOfTask({ name: toolName(task), agent, taskType: task }, mesh) : undefined;
}

/** Stable topological order: as declared, but no step before one that it waits for. */
function inOrder(steps: readonly Step[]): Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ordered = new Set<Step>();
  const visit = (step: Step): void => {
    if (ordered.has(step)) return;
    for (const id of [...step.needs, ...step.after]) {
      const other = byId.get(id);
      if (other) visit(other);
    }
    ordered.add(step);
  };
  for (const step of steps) visit(step);
  return [...ordered];
}

/** The plan as its event shows it. */
export function plannedSteps(plan: Plan): PlannedStep[] {
  return plan.steps.map((step) => {
    const kind = stepKindOf(step);
    return {
      id: step.id,
      ...(kind.asksAgent ? kind.about(step) : {}),
      needs: [...step.needs, ...step.after],
    };
  });
}
