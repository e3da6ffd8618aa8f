import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { type EntityIndex, valuesOf } from "../catalogue/entity-index.ts";
import { isLimits, type Limit, type Limits, type Slots } from "../catalogue/reading.ts";
import { TYPES, type Unit } from "../mentions/mention.ts";
import { isOfChange } from "../tagger/candidates.ts";
import { namesIn } from "../tagger/names-in.ts";
import type { Role } from "../tagger/role.ts";
import { sizeFor } from "../tagger/size.ts";
import { MEANS } from "../text/generic-words.ts";
import { deniedWays, onlyWay, type Way } from "./ways.ts";

/** Limits of parts of what is asked for, and the mentions that say of which. */
export type Scoped = {
  /** By slot. */
  readonly limits: ReadonlyMap<string, Limits>;
  /** Units that name the part that a limit is about, and so select nothing. */
  readonly scopes: ReadonlySet<number>;
  /** Units whose amounts are in `limits`. */
  readonly amounts: ReadonlySet<number>;
  /** Units of changes that are not to be at all: "no decreases". */
  readonly denied: readonly number[];
  /** What a message selects by naming it for its limits alone: "raise the valve by 5 % at most and the pump by 10 %". */
  readonly selects: Readonly<Record<string, readonly string[]>>;
};

type Segment = { at: number; from: number; to: number; slot: SlotDeclaration; value: number; way?: Way };

/** What is not named: "3 % elsewhere", "the rest", 나머지. */
export const REST =
  /^(?:elsewhere|rest|other|others|everything else|everywhere else|anything else|else|otherwise|remaining|remainder|나머지|나머지는|그외|이외|다른|기타)$/;
const LIST_JOINT = /^(?:and|or|&|,|\/|\+|the|our|및|와|과|랑|하고)$/;

/**
 * Finds limits that are about a part of what a message asks for: "5 % on exchange, 3 % elsewhere", "the premium range; the controller must
 * not top 3,200", and limits in one direction: "increases of at most 3 %". It goes by where amounts and names stand and knows no words of a domain.
 * @param roles of the units, as the tagger has them
 * @param before the slots of the turn before: a limit of a part changes that part of those in force
 * @returns undefined where all limits are about everything, either way
 */
export function findScoped(
  units: readonly Unit[],
  roles: readonly Role[],
  { slots, index, before }: { slots: readonly SlotDeclaration[]; index: EntityIndex; before: Slots },
): Scoped | undefined {
  const segments = segmentsOf(units, roles);
  const inside = (at: number): Segment | undefined => segments.find(({ from, to }) => from <= at && at <= to);
  const selecting = units.flatMap((_, at) => (isSelecting(units, roles, at) ? [at] : []));
  const outside = selecting.filter((at) => !inside(at));
  const scopes = new Set<number>();
  const found: { segment: Segment; limit: Limit; isRest: boolean }[] = [];
  const only = onlyWay(units);
  const isParted = hasParts(units, roles, segments, outside, inside, before);
  const parts = partsBeside(units, roles, segments);
  for (const segment of segments) {
    const own = parts.get(segment) ?? [];
    const named = own.length > 0 ? own : isParted(segment) ? namedIn(units, roles, segment) : [];
    for (const at of named) scopes.add(at);
    const scope = scopeOf(named, units, roles, index);
    const way = isOfChange(segment.slot) ? (segment.way ?? only?.way) : undefined;
    const isRest = named.length === 0 && has(units, segment, REST);
    found.push({
      segment,
      isRest,
      limit: { value: segment.value, ...(way ? { way } : {}), ...(scope ? { scope } : {}) },
    });
  }
  const bound = slots.find(({ implicit, reads }) => implicit && reads === "most");
  const opposite = only && { at: only.at, way: only.way === "up" ? ("down" as const) : ("up" as const) };
  const denied = bound ? [...deniedWays(units, segments), ...(opposite ? [opposite] : [])] : [];
  if (segments.length + denied.length === 0) return undefined;
  const whole = scopeOf(outside, units, roles, index);
  const limits = new Map<string, Limits>();
  for (const slot of new Set([
    ...segments.map((one) => one.slot),
    ...(denied.length > 0 && bound ? [bound] : []),
  ])) {
    const own = found.filter((one) => one.segment.slot === slot);
    const zeros = slot === bound ? [...new Set(denied.map(({ way }) => way))] : [];
    const list = inOneWay(before[slot.name], [
      ...withRests(own, slot, { whole, slots, index }),
      ...zeros.map((way): Limit => ({ value: 0, way })),
    ]);
    if (!list.some(({ scope, way }) => scope || way)) continue;
    // "The motor may go to 7": what stands for all is from now on for the others.
    const all = over(before[slot.name], list).map((limit) => ({ limit, isRest: false }));
    limits.set(slot.name, {
      limits: withRests(all, slot, { whole: whole ?? selectedIn(before), slots, index }),
    });
  }
  if (limits.size === 0) return undefined;
  const isRequest = segments[0]?.from === 0 && outside.length === 0 && !found.some(({ isRest }) => isRest);
  // What is a part and no more selects nothing.
  const asked = [...scopes].filter((at) => roles[at]?.op !== "of");
  const selects = isRequest && Object.keys(before).length === 0 ? scopeOf(asked, units, roles, index) : {};
  const amounts = new Set(segments.filter(({ slot }) => limits.has(slot.name)).map(({ at }) => at));
  return { limits, scopes, amounts, denied: denied.map(({ at }) => at), selects: selects ?? {} };
}

const LIMITING: ReadonlySet<SlotDeclaration["kind"]> = new Set(["percent", "money", "number"]);

/** The amounts that are limits, each with the part of the message that is about it. */
function segmentsOf(units: readonly Unit[], roles: readonly Role[]): Segment[] {
  const limits = units.flatMap((unit, at) => {
    const { op, slot } = roles[at] ?? { op: "none" };
    const way = op === "up" || op === "down" ? op : undefined;
    const isLimit = (op === "set" || way) && slot && LIMITING.has(slot.kind) && slot.reads !== "change";
    return unit.mention?.amount && isLimit ? [{ at, slot, ...(way ? { way } : {}) }] : [];
  });
  const all = [...limits, ...parallel(units, limits)]
    .sort((one, other) => one.at - other.at)
    .filter((one, i, sorted) => !isTakenBack(units, one, sorted[i + 1]));
  const segments: Segment[] = [];
  for (const [i, { at, slot, way }] of all.entries()) {
    const last = all[i - 1];
    const next = all[i + 1];
    const from = last ? boundaryBetween(units, last.at, at) + 1 : startOf(units, at);
    const to = next ? boundaryBetween(units, at, next.at) : endOf(units, at);
    segments.push({ at, from, to, slot, value: amountOf(units[at], slot), ...(way ? { way } : {}) });
  }
  return segments;
}

/** "5 % on exchange, 3 % elsewhere": what stands in a list beside a limit, with a part of its own and no word of another slot, is one as well. */
function parallel(
  units: readonly Unit[],
  limits: readonly { at: number; slot: SlotDeclaration }[],
): { at: number; slot: SlotDeclaration; way?: Way }[] {
  return units.flatMap((unit, at) => {
    // "One alert": an article, and no amount beside another one.
    if (!unit.mention?.amount || unit.word === "one" || limits.some((one) => one.at === at)) return [];
    const beside = limits.find((one) => units[one.at]?.type === unit.type && isListed(units, one.at, at));
    if (!beside || nounsAround(units, at).some((noun) => noun !== beside.slot)) return [];
    return [{ at, slot: beside.slot }];
  });
}

/** "Max 6 %, no, 4 %": the first is no limit beside the second. */
function isTakenBack(
  units: readonly Unit[],
  one: { at: number; slot: SlotDeclaration },
  next: { at: number; slot: SlotDeclaration } | undefined,
): boolean {
  if (next?.slot !== one.slot) return false;
  return units.slice(one.at, next.at).some(({ means }) => (means & MEANS.correct) !== 0);
}

const REACH = 8;

/** Whether a part is named beside an amount, and only a mark or "and" parts it from another one. */
function isListed(units: readonly Unit[], one: number, other: number): boolean {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const boundary = boundaryBetween(units, low, high);
  const from = other > one ? boundary + 1 : startOf(units, other);
  const to = other > one ? endOf(units, other) : boundary;
  for (let at = from; at <= to && at < from + 2 * REACH; at++) {
    const unit = units[at];
    if (unit && (unit.type === TYPES.entity || unit.type === TYPES.value || REST.test(unit.word)))
      return true;
  }
  return false;
}

const nounsAround = (units: readonly Unit[], at: number): SlotDeclaration[] =>
  units
    .slice(Math.max(0, at - 4), at + 5)
    .flatMap(({ nouns }) => nouns.filter(({ reads }) => reads === "most" || reads === "least"));

const isMark = (unit: Unit | undefined): boolean => unit !== undefined && /^[.,;:!?…()–—-]$/.test(unit.word);
const isHard = (unit: Unit | undefined): boolean => unit !== undefined && /^[.;:!?…()–—]$/.test(unit.word);
const isJoint = (unit: Unit | undefined): boolean =>
  unit !== undefined &&
  /^(?:and|but|while|whereas|though|however|yet|그리고|하지만|근데|반면)$/.test(unit.word);

/** Where what is said of one amount ends and what is said of the next begins: the last mark between them, or else the last "and". */
function boundaryBetween(units: readonly Unit[], one: number, other: number): number {
  let [mark, joint] = [-1, -1];
  for (let at = one + 1; at < other; at++) {
    if (isWithinList(units, at)) continue;
    if (isMark(units[at])) mark = at;
    if (isJoint(units[at])) joint = at;
  }
  if (mark >= 0) return mark;
  return joint >= 0 ? joint : Math.floor((one + other) / 2);
}

/** The comma or "and" of "the valve, the pump and the motor". A name that was said before begins something else. */
function isWithinList(units: readonly Unit[], at: number): boolean {
  if (!LIST_JOINT.test(units[at]?.word ?? "")) return false;
  const isName = (unit: Unit | undefined): boolean =>
    unit?.type === TYPES.entity || unit?.type === TYPES.value;
  const slotAt = (i: number): SlotDeclaration | undefined => slotOf(units[i], undefined);
  const lead = (step: 1 | -1): number => {
    for (let i = at + step; Math.abs(i - at) <= 3; i += step) {
      if (isName(units[i])) return i;
      if (!LIST_JOINT.test(units[i]?.word ?? "")) return -1;
    }
    return -1;
  };
  const [last, next] = [lead(-1), lead(1)];
  if (next < 0 || last < 0 || slotAt(last) !== slotAt(next)) return false;
  return !units.slice(0, at).some((unit) => isName(unit) && unit.word === units[next]?.word);
}

function startOf(units: readonly Unit[], at: number): number {
  for (let i = at - 1; i >= 0; i--) if (isMark(units[i]) && !isWithinList(units, i)) return i + 1;
  return 0;
}

function endOf(units: readonly Unit[], at: number): number {
  for (let i = at + 1; i < units.length; i++) {
    if (isHard(units[i])) return i;
    if ((isMark(units[i]) || isJoint(units[i])) && !isWithinList(units, i)) return i;
  }
  return units.length - 1;
}

/** What a segment names, whatever role it has; not what it leaves out. */
function namedIn(units: readonly Unit[], roles: readonly Role[], { from, to }: Segment): number[] {
  const places: number[] = [];
  for (let at = from; at <= to; at++) {
    const isName = units[at]?.type === TYPES.entity || units[at]?.type === TYPES.value;
    const isLeftOut = ((units[at - 1]?.means ?? 0) & MEANS.except) !== 0;
    if (isName && !isLeftOut && roles[at]?.op !== "unsupported" && slotOf(units[at], roles[at]))
      places.push(at);
  }
  return places;
}

/** What is named as the part that a limit is of: in its segment, or nearest to it. */
function partsBeside(
  units: readonly Unit[],
  roles: readonly Role[],
  segments: readonly Segment[],
): ReadonlyMap<Segment, readonly number[]> {
  const parts = new Map<Segment, number[]>();
  for (const [at, unit] of units.entries()) {
    if (!unit.mention || roles[at]?.op !== "of") continue;
    const own = segments.find(({ from, to }) => from <= at && at <= to);
    const distance = (one: Segment): number => Math.abs(one.at - at);
    const [nearest] = own ? [own] : segments.toSorted((one, other) => distance(one) - distance(other));
    if (nearest) parts.set(nearest, [...(parts.get(nearest) ?? []), at]);
  }
  return parts;
}

function slotOf(unit: Unit | undefined, role: Role | undefined): SlotDeclaration | undefined {
  if (role?.slot?.kind === "entity" || role?.slot?.kind === "enum") return role.slot;
  return unit?.mention?.entity?.slot ?? unit?.mention?.values.find(({ slot }) => slot.kind === "enum")?.slot;
}

function isSelecting(units: readonly Unit[], roles: readonly Role[], at: number): boolean {
  const { op, slot } = roles[at] ?? { op: "none" };
  const selects = slot?.kind === "entity" || slot?.kind === "enum";
  return units[at]?.mention !== undefined && selects && (op === "in" || op === "add");
}

/** Whether a limit is about what is named beside it alone, as something else says what is asked for. */
function hasParts(
  units: readonly Unit[],
  roles: readonly Role[],
  segments: readonly Segment[],
  outside: readonly number[],
  inside: (at: number) => Segment | undefined,
  before: Slots,
): (segment: Segment) => boolean {
  const selectsAll = units.some(
    ({ means }, at) => (means & MEANS.all) !== 0 && !inside(at) && roles[at]?.op !== "unsupported",
  );
  const isWhole = outside.length > 0 || selectsAll;
  return (segment) => {
    const rivals = segments.filter((other) => other !== segment && other.slot === segment.slot);
    const differs = rivals.some(({ value }) => value !== segment.value);
    const goesOn = isLimits(before[segment.slot.name]);
    const isOfRest = segments.some((other) => has(units, other, REST));
    return differs || isOfRest || goesOn || (isWhole && segment.from > 0);
  };
}

const has = (units: readonly Unit[], { from, to }: Segment, words: RegExp): boolean =>
  units.slice(from, to + 1).some(({ word }) => words.test(word));

type Inputs = { slots: readonly SlotDeclaration[]; index: EntityIndex };
type Scope = Readonly<Record<string, readonly string[]>>;

function scopeOf(
  named: readonly number[],
  units: readonly Unit[],
  roles: readonly Role[],
  index: EntityIndex,
): Scope | undefined {
  const scope: Record<string, string[]> = {};
  for (const at of named) {
    const slot = slotOf(units[at], roles[at]);
    const mention = units[at]?.mention;
    if (!mention || !slot) continue;
    const names = namesIn(mention, slot, index);
    const others = scope[slot.name];
    if (names.length > 0) scope[slot.name] = others ? [...new Set([...others, ...names])] : names;
  }
  return Object.keys(scope).length > 0 ? scope : undefined;
}

/** Of what is no limit, but a goal, a part has its own. */
function isBeyond(part: number, whole: number, reads: SlotDeclaration["reads"]): boolean {
  if (reads === "least") return part < whole;
  return reads === "most" ? part > whole : part !== whole;
}

/** "3 % elsewhere" is about what no other limit of the slot is about; so is a limit that a part may go beyond. */
function withRests(
  own: readonly { limit: Limit; isRest: boolean }[],
  { reads }: SlotDeclaration,
  { whole = {}, slots, index }: { whole: Scope | undefined } & Inputs,
): Limit[] {
  const parts = own.flatMap(({ limit: { scope } }) => (scope ? [scope] : []));
  const [slot, ...others] = new Set(parts.flatMap((scope) => Object.keys(scope)));
  return own.map(({ limit, isRest }) => {
    if (limit.scope || slot === undefined || others.length > 0) return limit;
    const goesBeyond = own.some((one) => one.limit.scope && isBeyond(one.limit.value, limit.value, reads));
    if (!isRest && !goesBeyond) return limit;
    const named = new Set(parts.flatMap((scope) => scope[slot] ?? []));
    const declared = slots.find(({ name }) => name === slot);
    const all = whole[slot] ?? (declared ? valuesOf(index, declared) : []);
    return { ...limit, scope: { [slot]: all.filter((name) => !named.has(name)) } };
  });
}

/** "6 is fine, too" behind "increases only, at most 5 %": another amount of the limit that is in force. */
function inOneWay(before: Slots[string] | undefined, said: readonly Limit[]): readonly Limit[] {
  const [limit, ...more] = said;
  if (!limit || limit.scope || limit.way || more.length > 0 || !isLimits(before)) return said;
  const [known, ...others] = before.limits.filter(({ value, scope }) => value > 0 && !scope);
  return known?.way && others.length === 0 ? [{ ...limit, way: known.way }] : said;
}

/** What is selected already. */
const selectedIn = (before: Slots): Scope =>
  Object.fromEntries(
    Object.entries(before).flatMap(([name, value]) => {
      if (typeof value === "string") return [[name, [value]]];
      return Array.isArray(value) ? [[name, value]] : [];
    }),
  );

/** A limit of the same part is said anew, the others stand; so does one of everything beside one of a part or a direction. */
export function over(before: Slots[string] | undefined, said: readonly Limit[]): readonly Limit[] {
  const isOfAll = said.some(({ scope, way }) => !scope && !way);
  if (typeof before === "number") return isOfAll ? said : [{ value: before }, ...said];
  if (!isLimits(before)) return said;
  const key = ({ scope, way }: Limit): string => JSON.stringify([scope, way]);
  const anew = new Set(said.map(key));
  return [...before.limits.filter((limit) => !anew.has(key(limit))), ...said];
}

function amountOf(unit: Unit | undefined, slot: SlotDeclaration): number {
  const amount = unit?.mention?.amount;
  return amount ? Math.abs(sizeFor(slot, amount, amount.value)) : 0;
}
