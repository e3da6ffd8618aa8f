import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  aboutCatalogue,
  analyseItems,
  type DatasetSource,
  DEFAULT_UNCERTAINTY,
  drained,
  failuresOf,
  formatFor,
  joined,
  optimizeItem,
  PricingError,
  type PricingInputs,
  type ProposedItem,
  proposalsFor,
  type RulePack,
  resolveAll,
  settingsFor,
  tellWarnings,
  type UncertaintyInputs,
  workable,
} from "@interlock/pricing";
import { artifactOf, sensitivityPictures } from "@interlock/pricing/pictures";
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

/** The most progress events of a run. The run also pauses between them. */
const MOST_EVENTS = 100;

/** The agent of SENSITIVITY_ANALYSIS. */
export function sensitivityAgent({ datasets, rulePack, sample }: SensitivityParts): Agent {
  async function* run({ inputs, sample: isSample }: TaskRequest<SensitivityInputs>, context: TaskContext) {
    try {
      const { items, proposed, errors } = await workableItems(inputs, { datasets, rulePack }, context);
      const total = items.length * (inputs.uncertainty?.draws ?? DEFAULT_UNCERTAINTY.draws);
      const analysis = analyseItems(
        items,
        proposed,
        settingsFor(inputs, rulePack),
        withoutFailed(inputs.uncertainty, errors),
        formatFor(inputs),
      );
      let reported = 0;
      let next = analysis.next();
      for (; !next.done; next = analysis.next()) {
        await context.pause();
        if (next.value - reported < total / MOST_EVENTS) continue;
        reported = next.value;
        yield { type: "progress", message: "draws", completed: reported, total } as const;
      }
      context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
      for (const one of sensitivityPictures(next.value, inputs)) context.attach(artifactOf(one));
      return aboutCatalogue({ ...next.value, failures: failuresOf(errors) }, inputs, isSample);
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

/**
 * The items that have an optimum or a proposal, and the proposals for them. One bad item fails no request.
 * @throws PricingError if no item is left
 */
async function workableItems(
  { items: given, proposed, ...rest }: SensitivityInputs,
  { datasets, rulePack }: Pick<SensitivityParts, "datasets" | "rulePack">,
  context: TaskContext,
) {
  const resolved = await drained(resolveAll(given, datasets, context.pause));
  tellWarnings(resolved.warnings.values(), context.warn);
  const { errors } = resolved;
  const settings = settingsFor(rest, rulePack);
  const priced = new Set(proposed?.map(({ item_id }) => item_id));
  const items = workable(resolved.items, errors, (item) => {
    if (!priced.has(item.item_id)) optimizeItem(item, settings);
  });
  await context.pause();
  const kept = proposed && proposalsFor(items, proposed, errors);
  const left = proposed !== undefined && proposed.length > 0 ? kept : items;
  const none = left?.length === 0 ? joined(errors) : undefined;
  if (none) throw none;
  return { items, proposed: kept, errors };
}

/** Beliefs about items that have failed are no mistake of their own. */
function withoutFailed(uncertainty: UncertaintyInputs | undefined, errors: readonly PricingError[]) {
  if (uncertainty === undefined || errors.length === 0) return uncertainty;
  const failed = new Set(errors.map(({ details }) => details.item_id));
  const kept = <T extends { readonly item_id: string }>(all: readonly T[] = []) =>
    all.filter(({ item_id }) => !failed.has(item_id));
  return {
    ...uncertainty,
    elasticity_intervals: kept(uncertainty.elasticity_intervals),
    elasticity_beliefs: kept(uncertainty.elasticity_beliefs),
  };
}
