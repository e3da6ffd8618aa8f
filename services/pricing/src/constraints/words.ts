import type { Format } from "../format.ts";
import { amountOf } from "./amounts.ts";
import type { OrderConstraint } from "./constraint.ts";
import type { AppliedConstraint } from "./types.ts";

/** Values of a constraint that a summary names. */
const MOST_VALUES = 5;

/** Words which constraints were applied, and which could not be. */
export function constraintLines(
  applied: readonly AppliedConstraint[],
  notApplied: readonly OrderConstraint[],
  format: Format,
): string[] {
  const { constraints: texts } = format.texts;
  const effects = applied.map((constraint) => {
    const said = constraintWords(constraint, format);
    const { items, prices, binds } = constraint;
    if (binds !== undefined && binds > 0) return texts.binds(said, binds, prices);
    return items > 0 ? texts.about(said, items) : said;
  });
  return [
    ...(effects.length > 0 ? [texts.applied(effects)] : []),
    ...(notApplied.length > 0
      ? [texts.notApplied(notApplied.map((constraint) => constraintWords(constraint, format)))]
      : []),
  ];
}

/** A constraint as people say it. */
export function constraintWords(constraint: OrderConstraint, format: Format): string {
  const { constraints: texts } = format.texts;
  const name = texts.slot(constraint.slot) ?? constraint.slot;
  const values = valuesOf(constraint, format);
  const isSelection = ["items", "tiers", "region", "segment"].includes(constraint.slot);
  const op = constraint.op === "set" && isSelection ? "only" : constraint.op;
  const said = op === "clear" ? name : texts.said[op](name, values);
  const { items = [], tiers = [], region = [], segment = [] } = constraint.scope ?? {};
  const scope = [...shortened(items, format), ...tiers, ...[region].flat(), ...[segment].flat()];
  return scope.length === 0 ? said : texts.inScope(said, format.texts.list(scope));
}

function valuesOf(constraint: OrderConstraint, format: Format): string {
  const { value, unit, direction } = constraint;
  const amount = amountOf(constraint);
  if (amount !== undefined) {
    const isMove = direction === "up" || direction === "down";
    if (unit === "money") return isMove ? format.signedMoney(amount) : format.price(amount);
    if (unit !== "share") return format.number(amount, 9);
    return isMove ? format.signedShare(amount) : format.share(amount);
  }
  if (typeof value === "boolean") return "";
  const { values } = format.texts.constraints;
  const named = [value ?? []]
    .flat()
    .map((one) => (one === "profit" || one === "revenue" ? values[one] : `${one}`));
  return format.texts.list(shortened(named, format));
}

function shortened(names: readonly string[], { texts }: Format): string[] {
  const more = names.length - MOST_VALUES;
  return more > 0 ? [...names.slice(0, MOST_VALUES), texts.constraints.others(more)] : [...names];
}
