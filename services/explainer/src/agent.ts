import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  aboutCatalogue,
  applyPaused,
  type DatasetSource,
  drained,
  type Explanation,
  explainSteps,
  failuresOf,
  inLanguage,
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
  workable,
} from "@interlock/pricing";
import { artifactOf, explanationPictures } from "@interlock/pricing/pictures";
import { card, inputsSchema, outputsSchema } from "./card.ts";

export type ExplainerParts = {
  readonly datasets: DatasetSource;
  readonly rulePack: RulePack;
  readonly sample: () => PricingInputs;
};

export type ExplainerInputs = PricingInputs & { proposed?: ProposedItem[]; max_items?: number };

/** Optimized items between two progress events. Every explained item has an event of its own. */
const REPORT_EVERY = 250;

/** The agent of PRICE_EXPLANATION. */
export function explainerAgent({ datasets, rulePack, sample }: ExplainerParts): Agent {
  async function* run(
    { inputs: asked, sample: isSample }: TaskRequest<ExplainerInputs>,
    context: TaskContext,
  ) {
    const given = inLanguage(asked, context.language);
    context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    try {
      const constrained = await applyPaused(given, { pack: rulePack, pause: context.pause });
      const { inputs } = constrained;
      const { items, proposed, errors } = await workableItems(
        inputs,
        { datasets, rulePack, errors: constrained.errors },
        context,
      );
      const { top } = constrained.effects();
      const steps = explainSteps({ ...inputs, items, ...(proposed && { proposed }) }, rulePack, top);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        const { stage, done, total } = step.value;
        if (stage === "optimized" && done % REPORT_EVERY !== 0 && done !== total) continue;
        await context.pause();
        yield { type: "progress", message: stage, completed: done, total } as const;
      }
      const { omitted } = step.value;
      if (omitted > 0) context.warn(`max_items was reached: ${omitted} items are not explained.`);
      const pictures = explanationPictures(step.value, inputs.objective ?? "profit", inputs);
      for (const one of pictures) context.attach(artifactOf(one));
      const { applied, notApplied } = constrained.effects(proposed ?? explainedPrices(step.value));
      const answer = { ...step.value, failures: failuresOf(errors), applied, not_applied: notApplied };
      return aboutCatalogue(answer, inputs, isSample);
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

/**
 * The items that have an optimum, and the proposals for them. One bad item fails no request.
 * @throws PricingError if no item is left
 */
async function workableItems(
  { items: given, proposed, ...rest }: ExplainerInputs,
  {
    datasets,
    rulePack,
    errors: known,
  }: Pick<ExplainerParts, "datasets" | "rulePack"> & { errors: readonly PricingError[] },
  context: TaskContext,
) {
  const resolved = await drained(resolveAll(given, datasets, context.pause));
  tellWarnings(resolved.warnings.values(), context.warn);
  const errors = [...known, ...resolved.errors];
  const settings = settingsFor(rest, rulePack);
  const items = workable(resolved.items, errors, (item) => optimizeItem(item, settings));
  await context.pause();
  const kept = proposed && proposalsFor(items, proposed, errors);
  const none = (kept ?? items).length === 0 ? joined(errors) : undefined;
  if (none) throw none;
  return { items, proposed: kept, errors };
}

function explainedPrices({ items }: Explanation): ProposedItem[] {
  return items.map(({ item_id, tiers }) => ({
    item_id,
    tiers: Object.fromEntries(Object.entries(tiers).map(([name, { price }]) => [name, { price: price.to }])),
  }));
}
