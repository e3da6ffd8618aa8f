import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import { card, inputsSchema, outputsSchema } from "./card.ts";
import { textsIn } from "./texts.ts";

type Item = { readonly id: string; readonly name?: string; readonly count: number };
type Constraint = { readonly slot: string; readonly op: string; readonly value?: unknown };
type Inputs = {
  readonly items: readonly Item[];
  readonly constraints?: readonly Constraint[];
};

/** The agent of MINIMAL. */
export function minimalAgent(): Agent {
  return createAgent({
    card,
    tasks: {
      MINIMAL: {
        description: "Counts the items that are asked for",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample: (): Inputs => ({ items: [{ id: "BOLT-M8", count: 1200 }] }),
        run,
      },
    },
  });
}

async function* run({ inputs: { items, constraints = [] } }: TaskRequest<Inputs>, { language }: TaskContext) {
  yield { type: "progress", message: "items", completed: 0, total: items.length } as const;
  let chosen = items;
  const notApplied: string[] = [];
  for (const constraint of constraints) {
    const apply = APPLY[constraint.slot];
    if (apply) chosen = apply(chosen, constraint);
    // A constraint that is dropped silently is an answer to another question.
    else notApplied.push(constraint.slot);
  }
  if (chosen.length === 0) throw new TaskError("NOTHING_SELECTED", "What was said leaves no item to count.");
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  const texts = textsIn(language);
  const lines = [texts.counted(total, chosen.map(({ id, count }) => `${id} ${count}`).join(", "))];
  if (notApplied.length > 0) lines.push(texts.notApplied(notApplied.join(", ")));
  return {
    summary: lines.join("\n"),
    total,
    counts: Object.fromEntries(chosen.map(({ id, count }) => [id, count])),
    not_applied: notApplied,
  };
}

/** What each slot of language/slots.yaml does to the items. */
const APPLY: Readonly<Record<string, (items: readonly Item[], said: Constraint) => readonly Item[]>> = {
  items: (items, { op, value }) => {
    const named = new Set([value].flat());
    return items.filter(({ id }) => named.has(id) === (op !== "except"));
  },
  top: (items, { value }) =>
    items.toSorted((one, other) => other.count - one.count).slice(0, Math.max(Number(value), 1)),
};
