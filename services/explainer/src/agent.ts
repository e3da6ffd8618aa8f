import { setImmediate as nextTurn } from "node:timers/promises";
import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  type DatasetSource,
  explainSteps,
  type Item,
  itemResolver,
  PricingError,
  type PricingInputs,
  type ProposedItem,
  type ResolvedItem,
  type RulePack,
} from "@interlock/pricing";
import { card, inputsSchema, outputsSchema } from "./card.ts";

export type ExplainerParts = {
  readonly datasets: DatasetSource;
  readonly rulePack: RulePack;
  readonly sample: () => PricingInputs;
};

export type ExplainerInputs = PricingInputs & { proposed?: ProposedItem[]; max_items?: number };

const MOST_WARNINGS = 50;
/** Optimized items between two progress events. Every explained item has an event of its own. */
const REPORT_EVERY = 250;

/** The agent of PRICE_EXPLANATION. */
export function explainerAgent({ datasets, rulePack, sample }: ExplainerParts): Agent {
  async function* run({ inputs }: TaskRequest<ExplainerInputs>, context: TaskContext) {
    context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    try {
      const items = await resolveAll(inputs.items, datasets, context);
      const steps = explainSteps({ ...inputs, items }, rulePack);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        const { stage, done, total } = step.value;
        if (stage === "optimized" && done % REPORT_EVERY !== 0 && done !== total) continue;
        await pause(context);
        yield { type: "progress", message: stage, completed: done, total } as const;
      }
      const { omitted } = step.value;
      if (omitted > 0) context.warn(`max_items was reached: ${omitted} items are not explained.`);
      return step.value;
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  return createAgent({
    card,
    tasks: {
      PRICE_EXPLANATION: {
        description:
          "What moves each price and its profit, attributed exactly, with binding rules and their worth",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample,
        run,
      },
    },
  });
}

async function resolveAll(items: readonly Item[], datasets: DatasetSource, context: TaskContext) {
  const resolve = itemResolver(datasets);
  const resolved: ResolvedItem[] = [];
  const warnings: string[] = [];
  for (const item of items) {
    const one = await resolve(item);
    resolved.push(one.item);
    warnings.push(...one.warnings);
    if (one.item !== item) await pause(context);
  }
  for (const warning of warnings.slice(0, MOST_WARNINGS)) context.warn(warning);
  if (warnings.length > MOST_WARNINGS)
    context.warn(`${warnings.length - MOST_WARNINGS} more warnings like these.`);
  return resolved;
}

/** Lets the event loop serve timers and other requests; throws if the run was cancelled meanwhile. */
async function pause({ signal }: TaskContext): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}
