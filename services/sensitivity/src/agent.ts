import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  aboutCatalogue,
  analyseItems,
  applyPaused,
  type DatasetSource,
  DEFAULT_UNCERTAINTY,
  drained,
  failuresOf,
  formatFor,
  inLanguage,
  joined,
  optimizeItem,
  PricingError,
  type PricingInputs,
  type ProposedItem,
  proposalsFor,
  type RulePack,
  resolveAll,
  type SensitivityReport,
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
  async function* run(
    { inputs: asked, sample: isSample }: TaskRequest<SensitivityInputs>,
    context: TaskContext,
  ) {
    const given = inLanguage(asked, context.language);
    try {
      const { pause } = context;
      const constrained = await applyPaused(given, { pack: rulePack, pause, without: ["top"] });
      const { inputs } = constrained;
      const { items, proposed, errors } = await workableItems(
        inputs,
        { datasets, rulePack, errors: constrained.errors },
        context,
      );
      const total = items.length * (inputs.uncertainty?.draws ?? DEFAULT_UNCERTAINTY.draws);
      const analysis = analyseItems(
        items,
        proposed,
        settingsFor(inputs, rulePack),
        beliefsAbout(inputs.uncertainty, missing(given, items, errors)),
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
      const { applied, notApplied } = constrained.effects(testedPrices(next.value));
      const answer = { ...next.value, failures: failuresOf(errors), applied, not_applied: notApplied };
      return aboutCatalogue(answer, inputs, isSample);
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
  {
    datasets,
    rulePack,
    errors: known,
  }: Pick<SensitivityParts, "datasets" | "rulePack"> & { errors: readonly PricingError[] },
  context: TaskContext,
) {
  const resolved = await drained(resolveAll(given, datasets, context.pause));
  tellWarnings(resolved.warnings.values(), context.warn);
  const errors = [...known, ...resolved.errors];
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

/** Items of the request that are not looked at: they have failed, or the constraints leave them out. */
function missing(
  { items: given }: SensitivityInputs,
  items: readonly { readonly item_id: string }[],
  errors: readonly PricingError[],
): ReadonlySet<string> {
  const left = new Set(items.map(({ item_id }) => item_id));
  const gone = new Set(given.flatMap(({ item_id }) => (left.has(item_id) ? [] : [item_id])));
  for (const { details } of errors) if (details.item_id !== undefined) gone.add(details.item_id);
  return gone;
}

/** Beliefs about items that are not looked at are no mistake of their own. */
function beliefsAbout(uncertainty: UncertaintyInputs | undefined, gone: ReadonlySet<string>) {
  if (uncertainty === undefined || gone.size === 0) return uncertainty;
  const kept = <T extends { readonly item_id: string }>(all: readonly T[] = []) =>
    all.filter(({ item_id }) => !gone.has(item_id));
  return {
    ...uncertainty,
    elasticity_intervals: kept(uncertainty.elasticity_intervals),
    elasticity_beliefs: kept(uncertainty.elasticity_beliefs),
  };
}

function testedPrices({ items }: SensitivityReport): ProposedItem[] {
  return items.map(({ item_id, tiers }) => ({
    item_id,
    tiers: Object.fromEntries(
      Object.entries(tiers).map(([name, { recommended_price: price }]) => [name, { price }]),
    ),
  }));
}
