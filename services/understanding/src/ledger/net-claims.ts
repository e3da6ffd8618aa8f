import { type EntityIndex, valuesOf } from "../catalogue/entity-index.ts";
import type { Limit, Slots, SlotValue } from "../catalogue/reading.ts";
import { isLimits } from "../catalogue/reading.ts";
import { type Proof, weaker } from "./claim.ts";
import { over } from "./scopes.ts";
import type { Verified } from "./verify.ts";

/** What claims come to, slot by slot. */
export type Net = {
  readonly slots: Slots;
  readonly cleared: readonly string[];
  /** Of each slot that a claim is about: the weakest of its claims. */
  readonly proof: Readonly<Record<string, Proof>>;
  /** Quotes that are about a part of what is asked for, of a slot that holds for all of it. */
  readonly unheld: readonly string[];
};

/** Makes the slots of claims. A selection in force is added to and left out of; a limit of a part stands beside the others. */
export function netOf(
  claims: readonly Verified[],
  { index, before }: { index: EntityIndex; before: Slots },
): Net {
  const slots: Record<string, SlotValue> = {};
  const proof: Record<string, Proof> = {};
  const cleared: string[] = [];
  const unheld: string[] = [];
  for (const [slot, own] of Map.groupBy(
    claims.filter(({ claim }) => claim.status === "applies"),
    (one) => one.slot,
  )) {
    const { name, kind, reads } = slot;
    if (reads !== "most" && reads !== "least" && own.some(({ claim }) => claim.scope.length > 0)) {
      unheld.push(...own.map(({ claim }) => claim.quote));
      proof[name] = "proven";
      continue;
    }
    proof[name] = own.map((one) => one.proof).reduce(weaker);
    const said = own.filter(({ claim }) => claim.op !== "clear");
    if (said.length < own.length) cleared.push(name);
    if (said.length === 0) continue;
    const value =
      kind === "entity" || kind === "enum"
        ? selected(said, valuesOf(index, slot), cleared.includes(name) ? undefined : before[name])
        : kind === "flag"
          ? true
          : kind === "choice"
            ? said.at(-1)?.claim.names[0]
            : amountOf(said, cleared.includes(name) ? undefined : before[name]);
    if (value === undefined) continue;
    const isPlain = kind === "enum" && !slot.keys && Array.isArray(value) && value.length === 1;
    slots[name] = isPlain ? (value[0] ?? "") : value;
  }
  return { slots, cleared: cleared.filter((name) => !(name in slots)), proof, unheld };
}

function selected(
  claims: readonly Verified[],
  all: readonly string[],
  before: SlotValue | undefined,
): readonly string[] | undefined {
  const of = (...ops: string[]): string[] =>
    claims.flatMap(({ claim }) => (ops.includes(claim.op) ? claim.names : []));
  const [ins, adds, outs] = [of("only", "set"), of("add"), of("except", "freeze")];
  const inForce =
    typeof before === "string" ? [before] : Array.isArray(before) ? (before as string[]) : undefined;
  const from = ins.length > 0 ? ins : (inForce ?? (adds.length > 0 ? [] : all));
  const dropped = new Set(outs);
  const left = new Set([...from, ...adds].filter((name) => !dropped.has(name)));
  const ordered = all.filter((name) => left.has(name));
  const value = ordered.length === left.size ? ordered : [...left];
  return value.length === 0 ? undefined : value;
}

function amountOf(claims: readonly Verified[], before: SlotValue | undefined): SlotValue | undefined {
  const limits = claims.flatMap(({ claim: { number, direction, scope } }): Limit[] => {
    if (number === null) return [];
    const way = direction === "up" || direction === "down" ? direction : undefined;
    const parts = Object.fromEntries(scope.map(({ slot, names }) => [slot, names]));
    return [{ value: number, ...(way ? { way } : {}), ...(scope.length > 0 ? { scope: parts } : {}) }];
  });
  const [only, ...others] = limits;
  if (!only) return undefined;
  const { slot } = claims[0] ?? {};
  if (slot?.reads === "change") return only.way === "down" ? -Math.abs(only.value) : Math.abs(only.value);
  if (others.length === 0 && !only.way && !only.scope) return Math.abs(only.value);
  const list = over(isLimits(before) || typeof before === "number" ? before : undefined, limits);
  return { limits: list };
}
