import { at } from "./at.ts";
import { studentTQuantile } from "./student-t.ts";
import type { FormFit } from "./types.ts";

/** ln of demand at one price against demand at another: as estimated, and at the two ends of its 95% interval. */
export type Change = { readonly low: number; readonly expected: number; readonly high: number };

/** No demand is left: its logarithm is not followed further. */
const NOTHING = -40;

/** What the form says of ln q when the price moves from one to another. */
export function changeUnder(form: FormFit, from: number, to: number): Change {
  const reach = studentTQuantile(0.975, form.degrees_of_freedom);
  if (form.covariance !== undefined) {
    const [a, b] = [Math.log(from / form.centre), Math.log(to / form.centre)];
    const [first, second] = [b - a, b * b - a * a];
    const [v, cov, w] = form.covariance;
    const error = Math.sqrt(Math.max(0, first * first * v + 2 * first * second * cov + second * second * w));
    const expected =
      form.form === "logit"
        ? logitChange(form, from, to)
        : form.elasticity * first + (form.curvature ?? 0) * second;
    return { low: expected - reach * error, expected, high: expected + reach * error };
  }
  if (form.form === "kinked") {
    const at_ = (below: number, above: number) =>
      pieces(below, above, to / form.centre) - pieces(below, above, from / form.centre);
    const expected = at_(form.elasticity, form.elasticity_above ?? form.elasticity);
    const error = Math.hypot(
      ...[form.elasticity_se ?? 0, form.elasticity_above_se ?? 0].map((se, side) =>
        side === 0 ? at_(se, 0) : at_(0, se),
      ),
    );
    return { low: expected - reach * error, expected, high: expected + reach * error };
  }
  const ends = [-reach, 0, reach].map((t) =>
    oneParameter(form, Math.min(form.elasticity + t * (form.elasticity_se ?? 0), -1e-6), from, to),
  );
  return {
    low: Math.min(at(ends, 0), at(ends, 2)),
    expected: at(ends, 1),
    high: Math.max(at(ends, 0), at(ends, 2)),
  };
}

function pieces(below: number, above: number, ratio: number): number {
  return (ratio < 1 ? below : above) * Math.log(ratio);
}

function oneParameter({ form, centre }: FormFit, elasticity: number, from: number, to: number): number {
  if (form === "constant_elasticity") return elasticity * Math.log(to / from);
  if (form === "semi_log") return (elasticity * (to - from)) / centre;
  // Linear: demand ends at the price centre·(1 − 1/elasticity).
  const left = (price: number) => 1 + elasticity * (price / centre - 1);
  if (left(from) <= 0) return to < from ? -NOTHING : NOTHING;
  return left(to) <= 0 ? NOTHING : Math.log(left(to) / left(from));
}

type LogitCurve = Pick<FormFit, "elasticity" | "curvature" | "centre">;

/**
 * The logit with this elasticity and curvature c at the centre: there e = −b·p·s and de/d ln p = 2c = e − e²·(1 − s)/s
 * for the share s of the market that buys elsewhere, which gives s and b. A curvature that none has is that of s = 1,
 * the semi-logarithmic form.
 */
export function logitChange(
  { elasticity, curvature = 0, centre }: LogitCurve,
  from: number,
  to: number,
): number {
  const e = Math.min(elasticity, -1e-6);
  const elsewhere = Math.min(1, (e * e) / (e * e + Math.max(0, e - 2 * curvature)));
  const slope = -e / elsewhere / centre;
  const rest = (price: number) => Math.log(elsewhere * Math.exp(slope * (price - centre)) + 1 - elsewhere);
  return rest(from) - rest(to);
}
