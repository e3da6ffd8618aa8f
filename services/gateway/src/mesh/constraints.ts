import type { Constraint, ConstraintScope } from "../constraint.ts";
import {
  isLimits,
  type Limit,
  type Limits,
  type SlotDeclarations,
  type Slots,
  type SlotValue,
} from "../language/index.ts";
import type { Flow } from "./model.ts";

type Declaration = SlotDeclarations["slots"][number];

/** What the slots of a turn say, as constraints of its order. */
export function constraintsOf({ slots }: Pick<Flow, "slots">, said: Slots): Constraint[] {
  const declared = new Map(slots?.slots.map((slot) => [slot.name, slot]));
  return Object.entries(said).flatMap(([slot, value]) =>
    isLimits(value)
      ? value.limits.map((limit) => limitOf(slot, limit, declared.get(slot)))
      : [constraintOf(slot, value, declared.get(slot))],
  );
}

function limitOf(slot: string, { value, way, scope }: Limit, declared: Declaration | undefined): Constraint {
  const constraint = constraintOf(slot, value, declared);
  return { ...constraint, ...(way ? { direction: way } : {}), ...(scope ? { scope } : {}) };
}

function constraintOf(
  slot: string,
  value: Exclude<SlotValue, Limits>,
  declared: Declaration | undefined,
): Constraint {
  if (declared?.kind === "entity" || declared?.kind === "enum") return { slot, op: "only", value };
  const unit = declared && UNITS[declared.kind];
  if (typeof value !== "number" || unit === undefined) return { slot, op: "set", value };
  if (declared?.reads === "change")
    return { slot, op: "set", value: Math.abs(value), unit, direction: value < 0 ? "down" : "up" };
  return { slot, op: "set", value, unit, ...(declared?.reads ? { direction: declared.reads } : {}) };
}

const UNITS: Partial<Record<Declaration["kind"], NonNullable<Constraint["unit"]>>> = {
  percent: "share",
  money: "money",
  number: "number",
};

/** The values by slot, as messages say them. */
export function slotsOf({ slots }: Pick<Flow, "slots">, constraints: readonly Constraint[]): Slots {
  const bounds = new Set(slots?.slots.flatMap(({ name, reads }) => (reads === "change" ? [] : [name])));
  const found: Record<string, SlotValue> = {};
  for (const { slot, op, value, direction, scope } of constraints) {
    if (value === undefined || (op !== "set" && op !== "only")) continue;
    const way = direction === "up" || direction === "down" ? direction : undefined;
    const before = found[slot];
    if (typeof value === "number" && (scope || (way && bounds.has(slot)) || isLimits(before))) {
      const limit = { value, ...(way ? { way } : {}), ...(scope ? { scope: listsOf(scope) } : {}) };
      const earlier = typeof before === "number" ? [{ value: before }] : [];
      found[slot] = { limits: [...(isLimits(before) ? before.limits : earlier), limit] };
    } else found[slot] = typeof value === "number" && way === "down" ? -value : value;
  }
  return found;
}

const listsOf = (scope: ConstraintScope): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(scope).map(([slot, names]) => [slot, [names].flat()]));

/** Those that one of the goals can apply. */
export function constraintsFor(
  flow: Pick<Flow, "slots">,
  said: readonly Constraint[],
  goals: readonly string[],
): Constraint[] {
  const { notApplied } = splitSlots(flow, Object.fromEntries(said.map(({ slot }) => [slot, ""])), goals);
  return said.filter(({ slot }) => !notApplied.includes(slot));
}

/** How the constraints of a turn are handled. */
export type SplitSlots = {
  /** Given to the agents, which apply them. */
  applied: readonly string[];
  /** They select from the results: the answer shows them. */
  fromResults: readonly string[];
  /** None of the goals can apply them: to be named in the answer. */
  notApplied: readonly string[];
};

/** @param goals the goals, or the one service, that the run is for */
export function splitSlots(
  { slots }: Pick<Flow, "slots">,
  said: Slots,
  goals: readonly string[],
): SplitSlots {
  const declared = new Map(slots?.slots.map((slot) => [slot.name, slot]));
  const split = { applied: [] as string[], fromResults: [] as string[], notApplied: [] as string[] };
  for (const name of Object.keys(said)) {
    const slot = declared.get(name);
    const isApplicable =
      slot !== undefined &&
      (slot.appliesTo.length === 0 || goals.some((goal) => slot.appliesTo.includes(goal)));
    if (!isApplicable) split.notApplied.push(name);
    // The answer limits the number of results; the agents choose which.
    else if (slot.fromResults && slot.kind !== "flag") split.fromResults.push(name);
    else split.applied.push(name);
  }
  return split;
}
