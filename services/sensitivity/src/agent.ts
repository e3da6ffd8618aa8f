import { setImmediate as nextTurn } from "node:timers/promises";
import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  analyseItems,
  type DatasetSource,
  DEFAULT_UNCERTAINTY,
  type Item,
  itemResolver,
  PricingError,
  type PricingInputs,
  type ProposedItem,
  type ResolvedItem,
  type RulePack,
  settingsFor,
  type UncertaintyInputs,
} from "@interlock/pricing";
import { card, inputsSchema, outputsSchema } from "./card.ts";

export type SensitivityParts = {
  readonly datasets: DatasetSource;
  readonly rulePack: RulePack;
  readonly sample: () => PricingInputs;
};

export type SensitivityInputs = PricingInputs & {
  proposed?: ProposedItem[];
  uncertainty?: UncertaintyInputs;
};

const MOST_WARNINGS = 50;
/** The most progress events of a run. The run also pauses between them. */
const MOST_EVENTS = 100;

/** The agent of SENSITIVITY_ANALYSIS. */
export function sensitivityAgent({ datasets, rulePack, sample }: SensitivityParts): Agent {
  async function* run({ inputs }: TaskRequest<SensitivityInputs>, context: TaskContext) {
    try {
      const items = await resolveAll(inputs.items, datasets, context);
      const total = items.length * (inputs.uncertainty?.draws ?? DEFAULT_UNCERTAINTY.draws);
      const analysis = analyseItems(
        items,
        inputs.proposed,
        settingsFor(inputs, rulePack),
        inputs.uncertainty,
      );
      let reported = 0;
      let next = analysis.next();
      for (; !next.done; next = analysis.next()) {
        await pause(context);
        if (next.value - reported < total / MOST_EVENTS) continue;
        reported = next.value;
        yield { type: "progress", message: "draws", completed: reported, total } as const;
      }
      context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
      return next.value;
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  return createAgent({
    card,
    tasks: {
      SENSITIVITY_ANALYSIS: {
        description:
          "How prices and profit vary with what is not known for certain, and whether the recommendation holds",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample,
        run,
      },
    },
  });
}

async function resolveAll(
  items: readonly Item[],
  datasets: DatasetSource,
  context: TaskContext,
): Promise<ResolvedItem[]> {
  const resolve = itemResolver(datasets);
  const resolved: ResolvedItem[] = [];
  let warnings = 0;
  for (const item of items) {
    const one = await resolve(item);
    resolved.push(one.item);
    for (const warning of one.warnings) {
      warnings += 1;
      if (warnings <= MOST_WARNINGS) context.warn(warning);
    }
    if (one.item !== item) await pause(context);
  }
  if (warnings > MOST_WARNINGS) context.warn(`${warnings - MOST_WARNINGS} more warnings like these.`);
  return resolved;
}

/** Lets the event loop serve timers and other requests; throws if the run was cancelled meanwhile. */
async function pause({ signal }: TaskContext): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}
