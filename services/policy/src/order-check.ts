import { type TaskContext, type TaskDefinition, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  constraintsSchema,
  failuresSchema,
  inputsProperties,
  judgeSteps,
  type OrderCheckInputs,
  PricingError,
  type RulePack,
} from "@interlock/pricing";
import { itemsSchema, proposedSchema } from "./card.ts";

/** Checked items between two pauses; checking one is little work. */
const PAUSE_EVERY = 500;

export const orderCheckInputs = {
  type: "object",
  required: ["constraints", "items", "proposed"],
  properties: {
    ...inputsProperties,
    constraints: {
      ...constraintsSchema,
      description: "What was said; one that the task does not know does not pass",
    },
    items: { ...itemsSchema, description: "All items that there are, with today's prices" },
    proposed: {
      ...proposedSchema,
      description: "What is to take effect. A tier that is left out keeps its price",
    },
    failures: { ...failuresSchema, description: "Items that no price was found for, with the reason" },
  },
  additionalProperties: false,
};

const verdictSchema = {
  type: "object",
  required: ["slot", "verdict", "message"],
  properties: {
    slot: { type: "string" },
    verdict: { enum: ["kept", "broken", "incomplete", "unknown", "not_checkable"] },
    message: { type: "string" },
    item_ids: { type: "array", items: { type: "string" }, description: "The first of those it is about" },
  },
};

export const orderCheckOutputs = {
  type: "object",
  required: ["passed", "verdicts"],
  properties: {
    passed: { type: "boolean" },
    verdicts: {
      type: "array",
      items: verdictSchema,
      description: "One for each constraint, and one for the items where nothing was said of them",
    },
    complete_for: {
      type: "array",
      items: { type: "string" },
      description: "Where all that is wrong is what is missing: the items that would pass by themselves",
    },
  },
};

const EXAMPLE: OrderCheckInputs = {
  constraints: [
    { slot: "items", op: "only", value: ["VALVE-V7"] },
    { slot: "max_change_pct", op: "set", value: 0.05, unit: "share", direction: "most" },
  ],
  items: [
    { item_id: "VALVE-V7", tiers: { new: { current_price: 100, unit_cost: 60 } } },
    { item_id: "MOTOR-M2", tiers: { new: { current_price: 300, unit_cost: 200 } } },
  ],
  proposed: [{ item_id: "VALVE-V7", tiers: { new: { price: 104 } } }],
};

/** The task that checks a payload against the constraints of its order, before it takes effect. */
export function orderCheckTask(pack: RulePack): TaskDefinition {
  async function* run({ inputs }: TaskRequest<OrderCheckInputs>, { pause }: TaskContext) {
    try {
      const steps = judgeSteps(inputs, pack);
      let step = steps.next();
      for (let judged = 1; !step.done; step = steps.next(), judged++)
        if (judged % PAUSE_EVERY === 0) await pause();
      yield { type: "progress", message: "judged", completed: 1, total: 1 } as const;
      return step.value;
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }
  return {
    description: "Judges whether prices are exactly what was said: the items, the tiers and every limit",
    inputs: orderCheckInputs,
    outputs: orderCheckOutputs,
    sample: () => EXAMPLE,
    examples: [EXAMPLE],
    run,
  };
}
