import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  aboutCatalogue,
  collect,
  type DatasetSource,
  effectiveRules,
  failuresOf,
  formatFor,
  gapsUsed,
  type ItemProposal,
  joined,
  type OptimizeSettings,
  PricingError,
  type PricingInputs,
  proposalSummary,
  proposeItem,
  type ResolvedItem,
  type ResolvedRequest,
  type RulePack,
  resolveAll,
  settingsFor,
  tellWarnings,
  totalProposals,
  withFitReports,
} from "@interlock/pricing";
import { artifactOf, proposalPictures } from "@interlock/pricing/pictures";
import { card, inputsSchema, outputsSchema } from "./card.ts";

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
  async function* run(request: TaskRequest<PricingInputs>, context: TaskContext) {
    try {
      return yield* propose(request, context);
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  async function* propose({ inputs, sample: isSample }: TaskRequest<PricingInputs>, context: TaskContext) {
    const format = formatFor(inputs);
    const settings = settingsFor(inputs, rulePack);
    const resolved = yield* resolve(inputs, datasets, context);
    const proposals = yield* proposeAll(resolved, settings);
    const none = proposals.length === 0 ? joined(resolved.errors) : undefined;
    if (none) throw none;
    tellWarnings(
      proposals.map(({ warnings = [] }) => warnings),
      context.warn,
    );
    context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    const totals = totalProposals(proposals);
    const summary = proposalSummary(proposals, totals, settings.objective, format);
    const answer = {
      items: withFitReports(proposals),
      failures: failuresOf(resolved.errors),
      totals,
      objective: settings.objective,
      constraints: constraintsOf(settings, rulePack, resolved.items),
      assumptions: resolved.assumptions,
      trace: traceOf(resolved.items, proposals, settings),
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
    },
  });
}

async function* resolve(inputs: PricingInputs, datasets: DatasetSource, { pause }: TaskContext) {
  const steps = resolveAll(inputs.items, datasets, pause);
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done) return step.value;
    yield progress("demand", step.value, inputs.items.length);
  }
}

/** Proposals for all items that have one. The errors of the others join those of the request. */
async function* proposeAll({ items, warnings, errors }: ResolvedRequest, settings: OptimizeSettings) {
  const proposals: ItemProposal[] = [];
  for (const [done, item] of items.entries()) {
    try {
      proposals.push(proposeItem(item, settings, warnings.get(item.item_id)));
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
  ];
}

function progress(message: string, completed: number, total: number) {
  return { type: "progress", message, completed, total } as const;
}
