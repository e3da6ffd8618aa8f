import { type Domain, valuesIn } from "./domain.ts";
import type { Constraint, Wanted } from "./set.ts";

/** What is different between the constraints that are wanted and those that were applied. */
export type Difference = {
  /** Wanted, and nothing of its slot was applied. */
  readonly missing: readonly Wanted[];
  /** Wanted, and its slot was applied with something else. */
  readonly other: readonly { readonly wanted: Wanted; readonly applied: readonly Constraint[] }[];
  /** Applied and not wanted. */
  readonly extra: readonly Constraint[];
};

/** A constraint in the one form that all ways of saying it have. */
type Norm<T extends Constraint> = { readonly from: T; readonly slot: string; readonly key: string };

/** Compares constraints by what they mean over one catalogue. */
export class Meaning {
  readonly #domain: Domain;
  /** What each selecting slot can select. */
  readonly #universe: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(domain: Domain, catalogue: Readonly<Record<string, unknown>> = domain.catalogue) {
    this.#domain = domain;
    this.#universe = new Map(
      [...domain.slots]
        .filter(([name]) => domain.selects(name))
        .map(([name, slot]) => {
          const found = [...valuesIn(catalogue, slot).keys()];
          const values = found.length > 0 ? found : Object.keys(slot.values ?? {});
          return [name, new Set(values.map(folded))];
        }),
    );
  }

  compare(wanted: readonly Wanted[], applied: readonly Constraint[]): Difference {
    const [want, have] = [this.#normal(wanted), this.#normal(applied)];
    const left = new Map(have.map((one) => [one.key, one]));
    const unmet = want.filter(({ key }) => !left.delete(key));
    const missing: Wanted[] = [];
    const other: { wanted: Wanted; applied: Constraint[] }[] = [];
    for (const { slot, from } of unmet) {
      const same = [...left.values()].filter((one) => one.slot === slot);
      if (same.length > 0) other.push({ wanted: from, applied: same.map((one) => one.from) });
      else if (!from.optional) missing.push(from);
    }
    const slots = new Set(other.map(({ wanted: { slot } }) => slot));
    const extra = [...left.values()]
      .filter(({ slot, from }) => !slots.has(slot) && !want.some((one) => isOtherWay(from, one.from)))
      .map(({ from }) => from);
    return { missing, other, extra };
  }

  /** One entry a selection of the whole, whatever it is made of, and one each other constraint. */
  #normal<T extends Constraint>(constraints: readonly T[]): Norm<T>[] {
    const inForce = constraints.filter(({ op, value }) => op !== "clear" && value !== false);
    const selections = new Map<string, { from: T; values: Set<string> }>();
    for (const from of inForce.filter((one) => this.#domain.selects(one.slot) && !hasScope(one))) {
      const all = selections.get(from.slot)?.values ?? this.#all(from.slot, inForce);
      selections.set(from.slot, { from, values: narrowed(all, from) });
    }
    const normal: Norm<T>[] = [];
    for (const [slot, { from, values }] of selections)
      if (!isSame(values, this.#all(slot, inForce)))
        normal.push({ from, slot, key: JSON.stringify([slot, sorted(values)]) });
    for (const from of inForce) {
      if (this.#domain.selects(from.slot) && !hasScope(from)) continue;
      const scope = Object.entries(this.#reachOf(from, inForce)).flatMap(([name, given]) => {
        const whole = selections.get(name)?.values ?? this.#all(name, inForce);
        const values = new Set(textsOf(given).filter((one) => whole.has(one)));
        return isSame(values, whole) ? [] : [[name, sorted(values)]];
      });
      const key = JSON.stringify([from.slot, this.#said(from), scope.sort()]);
      if (!normal.some((one) => one.key === key)) normal.push({ from, slot: from.slot, key });
    }
    return normal;
  }

  /** Where a limit binds: not where a tighter one does. "Rye by 5 % at most, all by 15" is "all else by 15", too. */
  #reachOf(from: Constraint, inForce: readonly Constraint[]): Readonly<Record<string, unknown>> {
    const scope = this.scopeOf(from, inForce);
    const tighter = inForce.filter((one) => one.slot === from.slot && hasScope(one) && isBeyond(from, one));
    const [slot, ...others] = new Set([scope, ...tighter.map((one) => one.scope ?? {})].flatMap(Object.keys));
    if (slot === undefined || others.length > 0) return scope;
    const named = new Set(tighter.flatMap((one) => textsOf(one.scope?.[slot])));
    const whole = scope[slot] === undefined ? this.#all(slot, inForce) : textsOf(scope[slot]);
    return { [slot]: [...whole].filter((one) => !named.has(one)) };
  }

  /** A limit that a part may go beyond is about the rest: "at most 40, baguettes 100". */
  scopeOf(from: Constraint, inForce: readonly Constraint[]): Readonly<Record<string, unknown>> {
    if (hasScope(from)) return from.scope ?? {};
    const beyond = inForce.filter((one) => one.slot === from.slot && hasScope(one) && isBeyond(one, from));
    const [slot, ...others] = new Set(beyond.flatMap(({ scope }) => Object.keys(scope ?? {})));
    if (slot === undefined || others.length > 0) return {};
    const named = new Set(beyond.flatMap(({ scope }) => textsOf(scope?.[slot])));
    return { [slot]: [...this.#all(slot, inForce)].filter((one) => !named.has(one)) };
  }

  #said({ slot, op, value, unit, direction }: Constraint): unknown {
    if (this.#domain.selects(slot)) return sorted(narrowed(this.#all(slot, []), { slot, op, value }));
    if (typeof value !== "number") return textsOf(value).sort();
    const isDown = value < 0 || direction === "down";
    // A third is written as 0.333.
    const digits = unit === "share" ? 3 : 9;
    return [Number(Math.abs(value).toPrecision(digits)), unit, isDown ? "down" : direction];
  }

  /** What a slot can select: what the catalogue has, and what else is named. */
  #all(slot: string, said: readonly Constraint[]): Set<string> {
    const named = said.filter((one) => one.slot === slot && one.op !== "except" && one.op !== "freeze");
    return new Set([...(this.#universe.get(slot) ?? []), ...named.flatMap(({ value }) => textsOf(value))]);
  }
}

function narrowed(all: ReadonlySet<string>, { op, value }: Constraint): Set<string> {
  const named = new Set(textsOf(value));
  const isOut = op === "except" || op === "freeze";
  return new Set([...all].filter((one) => named.has(one) !== isOut));
}

function isBeyond(part: Constraint, whole: Constraint): boolean {
  if (typeof part.value !== "number" || typeof whole.value !== "number") return false;
  if (part.direction !== whole.direction) return false;
  return whole.direction === "least" ? part.value < whole.value : part.value > whole.value;
}

/** "Cuts only, of at most 12 %" denies what goes up, too. */
const isOtherWay = (denied: Constraint, limit: Constraint): boolean =>
  denied.value === 0 &&
  denied.slot === limit.slot &&
  [denied.direction, limit.direction].sort().join() === "down,up" &&
  JSON.stringify(denied.scope ?? {}) === JSON.stringify(limit.scope ?? {});

const hasScope = ({ scope }: Constraint): boolean => Object.keys(scope ?? {}).length > 0;
const folded = (text: string): string => text.trim().toLowerCase();
export const textsOf = (value: unknown): string[] => [value ?? []].flat().map((one) => folded(String(one)));
const sorted = (values: Iterable<string>): string[] => [...values].sort();
const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value));
