import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  aboutCatalogue,
  applyPaused,
  type CatalogueOrder,
  type Constrained,
  collect,
  type DatasetSource,
  effectiveRules,
  failuresOf,
  formatFor,
  gapsUsed,
  type ItemProposal,
  inLanguage,
  joined,
  MOST_FIT_REPORTS,
  type OptimizeSettings,
  outcomeAtCosts,
  outcomesOf,
  PricingError,
  type PricingInputs,
  type ProposedItem,
  pricesOf,
  priceTable,
  proposalSummary,
  proposeItem,
  questionsOf,
  type ResolvedItem,
  type ResolvedRequest,
  type RulePack,
  readCatalogue,
  resolveAll,
  says,
  settingsFor,
  type Table,
  tellWarnings,
  totalProposals,
  whyOf,
  withFitReports,
} from "@interlock/pricing";
import { artifactOf, proposalPictures } from "@interlock/pricing/pictures";
import { card, inputsSchema, outputsSchema, readingInputs, readingOutputs } from "./card.ts";

export type OptimizerInputs = PricingInputs & { proposed?: ProposedItem[] };

export type OptimizerParts = {
  readonly datasets: DatasetSource;
  readonly rulePack: RulePack;
  readonly sample: () => PricingInputs;
};

/**
 * Items between two yields, a few milliseconds of work.
 * At each yield the run reports progress and can be cancelled.
 */
const BATCH = 250;

/** The agent of PRICE_OPTIMIZATION. */
export function optimizerAgent({ datasets, rulePack, sample }: OptimizerParts): Agent {
  async function* run(request: TaskRequest<OptimizerInputs>, context: TaskContext) {
    try {
      return yield* propose(request, context);
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  async function* propose(
    { inputs: asked, sample: isSample }: TaskRequest<OptimizerInputs>,
    context: TaskContext,
  ) {
    const given = inLanguage(asked, context.language);
    const format = formatFor(given);
    const constrained = await applyPaused(given, { pack: rulePack, pause: context.pause });
    const { inputs, move } = constrained;
    const settings = settingsFor(move ? { ...inputs, enforce: [], extrapolate: true } : inputs, rulePack);
    const resolved = yield* resolve(inputs, datasets, context);
    for (const error of constrained.errors) resolved.errors.push(error);
    const proposals = yield* proposeAll(resolved, settings, constrained);
    const none = proposals.length === 0 ? joined(resolved.errors) : undefined;
    if (none) throw none;
    const warnings = tellWarnings(
      proposals.map(({ warnings = [] }) => warnings),
      context.warn,
    );
    context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    const { objective } = settings;
    const totals = {
      ...totalProposals(proposals),
      ...(says(given, "cost_move") && { at_todays_costs: outcomeAtCosts(proposals, given.items) }),
    };
    const proposed = pricesOf(proposals);
    const { applied, notApplied, top } = constrained.effects(proposed);
    const about = {
      ...{ totals, objective, failed: resolved.errors.length, warnings, top },
      isMove: move !== undefined,
      onlyViolating: says(given, "only_violating"),
    };
    const summary = proposalSummary(proposals, about, format);
    const answer = {
      items: withFitReports(proposals),
      proposed,
      outcomes: outcomesOf(proposals),
      applied,
      not_applied: notApplied,
      failures: failuresOf(resolved.errors),
      totals,
      objective,
      constraints: constraintsOf(settings, rulePack, resolved.items),
      assumptions: resolved.assumptions,
      questions: questionsOf(proposals),
      trace: traceOf(resolved.items, proposals, settings),
      tables: [pricesTable(proposals, objective, format)],
      summary,
    };
    const pictures = await proposalPictures(inputs, resolved.items, proposals, settings, datasets);
    for (const one of pictures) context.attach(artifactOf(one));
    return aboutCatalogue(answer, inputs, isSample);
  }

  return createAgent({
    card,
    tasks: {
      PRICE_OPTIMIZATION: {
        description: "The best prices of each item's tiers under all rules at once",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample,
        run,
      },
      CATALOGUE_READING: {
        description:
          "Reads a catalogue from CSV: the inputs of the pricing tasks, and how its columns were understood",
        inputs: readingInputs,
        outputs: readingOutputs,
        examples: [{ csv: "sku,price,cost,units,elasticity\nA-1,12,6.5,900,-2.4\n" }],
        async *run({ inputs }: TaskRequest<CatalogueOrder>, { language }: TaskContext) {
          try {
            return readCatalogue(inputs, formatFor(inLanguage({}, language)));
          } catch (error) {
            if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
            throw error;
          }
        },
      },
    },
  });
}

function pricesTable(
  proposals: readonly ItemProposal[],
  objective: OptimizeSettings["objective"],
  format: ReturnType<typeof formatFor>,
): Table {
  const rows = proposals.flatMap(({ item_id, tiers }) =>
    Object.entries(tiers).map(([tier, { current_price: from, price: to, binding }]) => ({
      ...{ item_id, tier, from, to },
      why: whyOf(binding, { tier, objective }, format),
    })),
  );
  return priceTable(rows, format);
}

async function* resolve(inputs: PricingInputs, datasets: DatasetSource, { pause }: TaskContext) {
  const steps = resolveAll(inputs.items, datasets, pause);
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done) return step.value;
    yield progress("demand", step.value, inputs.items.length);
  }
}

/**
 * Proposals for all items that have one: the best prices, or those of a price move. Errors of the others are added to the request's.
 */
async function* proposeAll(
  { items, warnings, errors }: ResolvedRequest,
  settings: OptimizeSettings,
  { move, broken }: Constrained<OptimizerInputs>,
) {
  const moves = new Map(move?.map((one) => [one.item_id, one]));
  const proposals: ItemProposal[] = [];
  for (const [done, item] of items.entries()) {
    try {
      const { item_id } = item;
      const proposal = proposeItem(item, settings, warnings.get(item_id), moves.get(item_id));
      const error = broken(proposal);
      if (error) errors.push(error);
      else proposals.push(proposal);
    } catch (error) {
      collect(error, errors);
    }
    if ((done + 1) % BATCH === 0) yield progress("prices", done + 1, items.length);
  }
  yield progress("prices", items.length, items.length);
  return proposals;
}

function constraintsOf(settings: OptimizeSettings, rulePack: RulePack, items: readonly ResolvedItem[]) {
  return {
    enforce: [...settings.enforce],
    price_increment: settings.increment,
    ...(settings.maxChange !== undefined && { max_change_pct: settings.maxChange }),
    ...(settings.minimumMargin !== undefined && { minimum_margin_pct: settings.minimumMargin }),
    ...(settings.observedMargin === undefined
      ? { extrapolate: true }
      : { observed_margin: settings.observedMargin }),
    rule_pack: { name: rulePack.name, version: rulePack.version },
    gaps: gapsUsed(items, settings),
    effective: effectiveRules(items, settings),
  };
}

function traceOf(
  items: readonly ResolvedItem[],
  proposals: readonly ItemProposal[],
  settings: OptimizeSettings,
) {
  const tiers = items.flatMap((item) => Object.values(item.tiers));
  const fitted = tiers.filter((tier) => tier.fit !== undefined).length;
  const held = tiers.filter((tier) => tier.held).length;
  const bound = proposals
    .flatMap((item) => Object.values(item.tiers))
    .filter((tier) => tier.binding.length > 0);
  return [
    {
      step: "demand",
      detail: `${tiers.length} tiers of ${items.length} items: ${fitted} fitted, ${held} of them held`,
    },
    {
      step: "optimum",
      detail: `largest ${settings.objective} under ${[...settings.enforce].join(", ") || "no rules"}`,
    },
    {
      step: "rounding",
      detail: settings.increment === 0 ? "none" : `best multiples of ${settings.increment}`,
    },
    { step: "binding", detail: `${bound.length} of ${tiers.length} prices are stopped by a rule` },
    ...(proposals.length > MOST_FIT_REPORTS
      ? [
          {
            step: "reports",
            detail: `whole reports of fits are of the ${MOST_FIT_REPORTS} items whose prices move most`,
          },
        ]
      : []),
  ];
}

function progress(message: string, completed: number, total: number) {
  return { type: "progress", message, completed, total } as const;
}
