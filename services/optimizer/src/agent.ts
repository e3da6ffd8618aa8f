import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  type DatasetSource,
  gapsUsed,
  type Item,
  type ItemProposal,
  itemResolver,
  type OptimizeSettings,
  PricingError,
  type PricingInputs,
  proposeItem,
  type ResolvedItem,
  type RulePack,
  settingsFor,
  totalProposals,
} from "@interlock/pricing";
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
const MOST_WARNINGS = 50;
const MOST_FAILURES = 20;

/** The agent of PRICE_OPTIMIZATION. */
export function optimizerAgent({ datasets, rulePack, sample }: OptimizerParts): Agent {
  async function* run({ inputs }: TaskRequest<PricingInputs>, context: TaskContext) {
    const settings = settingsFor(inputs, rulePack);
    const items = yield* resolveAll(inputs.items, datasets, context);
    const proposals = yield* proposeAll(items, settings);
    context.provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    return {
      items: proposals,
      totals: totalProposals(proposals),
      objective: settings.objective,
      constraints: constraintsOf(settings, rulePack, items),
      trace: traceOf(items, proposals, settings),
    };
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

async function* resolveAll(items: readonly Item[], datasets: DatasetSource, context: TaskContext) {
  const resolve = itemResolver(datasets);
  const resolved: ResolvedItem[] = [];
  let warnings = 0;
  for (const item of items) {
    const one = await resolve(item).catch(fail);
    resolved.push(one.item);
    for (const warning of one.warnings) {
      warnings += 1;
      if (warnings <= MOST_WARNINGS) context.warn(warning);
    }
    // A fit takes milliseconds, so yield after each one. Items without a fit cost next to nothing.
    const fitted = one.item !== item;
    if (fitted || resolved.length % BATCH === 0) yield progress("demand", resolved.length, items.length);
  }
  if (warnings > MOST_WARNINGS) context.warn(`${warnings - MOST_WARNINGS} more warnings like these.`);
  yield progress("demand", items.length, items.length);
  return resolved;
}

/**
 * Proposals for all items. If any item fails,
 * throws one error with the first failure's details and the count.
 */
async function* proposeAll(items: readonly ResolvedItem[], settings: OptimizeSettings) {
  const proposals: ItemProposal[] = [];
  const failures: PricingError[] = [];
  for (const [done, item] of items.entries()) {
    try {
      proposals.push(proposeItem(item, settings));
    } catch (error) {
      if (!(error instanceof PricingError)) throw error;
      failures.push(error);
    }
    if ((done + 1) % BATCH === 0) yield progress("prices", done + 1, items.length);
  }
  const [first] = failures;
  if (first !== undefined) {
    throw new TaskError(first.code, first.message, {
      ...first.details,
      failed_items: failures.length,
      failures: failures.slice(0, MOST_FAILURES).map(({ code, details }) => ({ code, ...details })),
    });
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
    rule_pack: { name: rulePack.name, version: rulePack.version },
    gaps: gapsUsed(items, settings),
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

function fail(error: unknown): never {
  if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
  throw error;
}
