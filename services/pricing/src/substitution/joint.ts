import { at } from "../at.ts";
import type {
  ConstantElasticity,
  JointDemand,
  Logit,
  ResolvedItem,
  ResolvedTier,
  Substitution,
  SubstitutionReport,
} from "../types.ts";
import { bestOf, comparisonSteps, FEWEST_OCCASIONS } from "./choose.ts";
import { crossError, crossSteps, curvedSteps } from "./cross.ts";
import { withJointReport } from "./joint-report.ts";
import { type LogitFit, logitSteps } from "./logit.ts";
import { type Panel, panelPart } from "./panel.ts";

/**
 * The share of the buyers whom a tier loses by its price that may go to the other tiers of the item, where the
 * data cannot tell: from none to this.
 */
export const PLAUSIBLE_DIVERSION = 0.8;

const MOST_OCCASIONS = 500;

export type Joint = { readonly report: SubstitutionReport; readonly joint?: JointDemand };

/**
 * How the tiers of an item take sales from each other: the requested model, or the one that predicts held-out
 * occasions best. Without enough matched occasions independence is assumed, and proposals are limited to what
 * is no loss under plausible diversion (`limitMoves`). Yields between fits.
 * @param names the tiers of the panel's series
 */
export function* jointSteps(
  given: Panel | undefined,
  names: readonly string[],
  wanted: "auto" | Substitution,
): Generator<void, Joint> {
  const panel = given && latest(given);
  const occasions = panel?.occasions ?? 0;
  if (wanted === "none") {
    return { report: { model: "none", basis: "requested", reason: "independent tiers were requested" } };
  }
  if (panel === undefined || occasions < FEWEST_OCCASIONS) {
    const reason =
      panel === undefined
        ? "no column says which rows of the tiers belong to the same occasion"
        : `${occasions} occasions have sales data of every tier, ${FEWEST_OCCASIONS} are needed`;
    return { report: { model: "none", basis: "assumed", reason, diversion: PLAUSIBLE_DIVERSION, occasions } };
  }
  const several = new Set(panel.units).size > 1;
  const logit = several ? undefined : yield* logitSteps(panel);
  const held_out = yield* comparisonSteps(panel, logit);
  const model = wanted === "auto" ? bestOf(held_out) : wanted;
  const basis = wanted === "auto" ? "held_out" : "requested";
  const reason = wanted === "auto" ? "it predicts held-out sales best" : "it was requested";
  const report = { model, basis, reason, occasions, held_out } as const;
  if (model === "none") return { report };
  const joint = model === "logit" ? logitDemand(panel, names, logit) : yield* crossDemand(panel, names);
  if (joint !== undefined) {
    const curved = yield* curvedSteps(panel);
    return { report, joint: curved ? { ...joint, curved } : joint };
  }
  return {
    report: {
      model: "none",
      basis: "assumed",
      reason: `the ${model} model could not be fitted`,
      diversion: PLAUSIBLE_DIVERSION,
      occasions,
      held_out,
    },
  };
}

/** The last occasions of a single place: enough for any model, and few enough to fit them all quickly. */
function latest(panel: Panel): Panel {
  if (panel.occasions <= MOST_OCCASIONS || new Set(panel.units).size > 1) return panel;
  return panelPart(
    panel,
    Array.from({ length: MOST_OCCASIONS }, (_, k) => panel.occasions - MOST_OCCASIONS + k),
  );
}

function logitDemand(
  panel: Panel,
  names: readonly string[],
  fit: LogitFit | undefined,
): JointDemand | undefined {
  if (fit === undefined) return undefined;
  const slope = fit.parameters.length - 2;
  const error = Math.sqrt(at(at(fit.covariance, slope), slope));
  // A slope that may be 0 says nothing about prices.
  if (!(at(fit.parameters, slope) > 2.5 * error)) return undefined;
  return { model: "logit", logit: withMeanControls(fit, panel), names };
}

/** The fit at the controls' means: the intercepts carry them, and the controls' parameters are left out. */
function withMeanControls(fit: LogitFit, { series }: Panel): LogitFit {
  const tiers = series.length;
  let next = tiers;
  const controls = series.map(({ controls: own }) =>
    own.map((values) => ({
      position: next++,
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    })),
  );
  const size = fit.parameters.length;
  // Row k holds the new parameter k as a combination of the old ones.
  const rows = [
    ...controls.map((own, i) => {
      const row = new Array<number>(size).fill(0);
      row[i] = 1;
      for (const { position, mean } of own) row[position] = mean;
      return row;
    }),
    ...[size - 2, size - 1].map((k) => new Array<number>(size).fill(0).with(k, 1)),
  ];
  const inner = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, k) => sum + value * at(b, k), 0);
  const half = rows.map((row) => fit.covariance.map((column) => inner(row, column)));
  return {
    ...fit,
    parameters: rows.map((row) => inner(row, fit.parameters)),
    covariance: half.map((row) => rows.map((other) => inner(row, other))),
  };
}

/** The logit models of the tiers at these parameters: a_i, then b, then ln M. */
export function logitModels(parameters: readonly number[]): Logit[] {
  const tiers = parameters.length - 2;
  return parameters.slice(0, tiers).map((intercept) => ({
    model: "logit",
    market_size: Math.exp(at(parameters, tiers + 1)),
    intercept,
    price_coefficient: at(parameters, tiers),
  }));
}

function* crossDemand(panel: Panel, names: readonly string[]): Generator<void, JointDemand | undefined> {
  const cross = yield* crossSteps(panel);
  return cross && { model: "cross_price", cross, names };
}

/**
 * The item with the joint demand in place of its tiers' own, and with what the joint fit says of each tier in
 * place of what the tiers' own fits said: one model makes prices, intervals and bands.
 */
export function withJoint(item: ResolvedItem, joint: JointDemand): ResolvedItem {
  const models = joint.model === "logit" ? logitModels(joint.logit.parameters) : [];
  const tiers = Object.entries(item.tiers).map(([name, tier]) => {
    const position = joint.names.indexOf(name);
    const demand = joint.model === "logit" ? models[position] : crossed(item, tier, joint, position);
    if (demand === undefined) return [name, tier] as const;
    return [name, withJointReport(item, name, { ...tier, demand }, joint)] as const;
  });
  return { ...item, tiers: Object.fromEntries(tiers), joint };
}

/** The tier's demand with all prices of the item at today's. */
function crossed(
  item: ResolvedItem,
  tier: ResolvedTier,
  { cross, names }: Extract<JointDemand, { model: "cross_price" }>,
  position: number,
): ConstantElasticity | undefined {
  const row = cross.elasticities[position];
  if (row === undefined) return undefined;
  const log = names.reduce(
    (sum, name, j) => sum + at(row, j) * Math.log(item.tiers[name]?.current_price ?? 1),
    at(cross.levels, position),
  );
  return {
    model: "constant_elasticity",
    reference_price: tier.current_price,
    reference_quantity: Math.exp(log),
    elasticity: at(row, position),
    elasticity_se: crossError(cross, position * names.length + position),
    elasticity_df: cross.degreesOfFreedom,
    cross: Object.fromEntries(
      names.flatMap((name, j) => (j === position ? [] : [[name, at(row, j)] as const])),
    ),
  };
}
