import { type Agent, createAgent, type TaskContext, type TaskRequest } from "@interlock/agent-kit";

type Constraint = { readonly slot: string; readonly op: string; readonly value?: unknown };
type Inputs = Readonly<Record<string, unknown>> & { readonly constraints?: readonly Constraint[] };

const constraints = { type: "array", items: { type: "object", required: ["slot", "op"] } } as const;

const outputs = {
  type: "object",
  required: ["summary", "applied"],
  properties: {
    summary: { type: "string", minLength: 1 },
    applied: constraints,
    /** What would take effect. */
    plan: { type: "object", required: ["constraints"], properties: { constraints } },
    passed: { type: "boolean" },
    verdicts: { type: "array" },
  },
  additionalProperties: false,
} as const;

const inputs = { type: "object", properties: { constraints } } as const;

/**
 * An agent that works on nothing: it accepts any constraint and names those that it got. What it plans holds what it was planned under.
 */
export function recordingAgent(name: string, tasks: Readonly<Record<string, string>>): Agent {
  const all = Object.entries(tasks).map(([task, description]) => [
    task,
    { description, inputs, outputs, run: record },
  ]);
  return createAgent({ card: { name, version: "0.1.0" }, tasks: Object.fromEntries(all) });
}

/** An agent that judges whether a plan was made under what was said. */
export function checkingAgent(name: string, task: string): Agent {
  const description = "Judge whether a plan is what was said";
  return createAgent({
    card: { name, version: "0.1.0" },
    tasks: { [task]: { description, inputs, outputs, run: compare } },
  });
}

async function* record(
  { task_type, inputs: { constraints: applied = [] } }: TaskRequest<Inputs>,
  { language = "en" }: TaskContext,
) {
  yield { type: "progress", message: "recorded", completed: 1, total: 1 } as const;
  const slots = applied.map(({ slot }) => slot).join(", ");
  const none = language.startsWith("ko") ? "조건 없음" : "no constraint";
  return { summary: `${task_type}: ${slots || none}.`, applied, plan: { constraints: applied } };
}

/** A verdict for each constraint that was said: whether the plan holds it. */
async function* compare({
  inputs,
}: TaskRequest<Inputs & { plan?: { constraints?: readonly Constraint[] } }>) {
  yield { type: "progress", message: "compared", completed: 1, total: 1 } as const;
  const { constraints: said = [], plan } = inputs;
  const held = new Set((plan?.constraints ?? []).map((one) => JSON.stringify(one)));
  const verdicts = said.map((one) => ({
    slot: one.slot,
    verdict: held.has(JSON.stringify(one)) ? "kept" : "broken",
    message: `The plan was made ${held.has(JSON.stringify(one)) ? "under it" : "without it"}.`,
  }));
  const passed = verdicts.every(({ verdict }) => verdict === "kept") && held.size === said.length;
  return { summary: passed ? "As said." : "Not as said.", applied: said, passed, verdicts };
}
