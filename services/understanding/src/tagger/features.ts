import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { onlyWay, wayIn } from "../ledger/ways.ts";
import { TYPES, type UnitType } from "../mentions/mention.ts";
import { MEANS } from "../text/generic-words.ts";
import { mix } from "../text/hash.ts";
import type { Candidate } from "./candidates.ts";
import { namesIn } from "./names-in.ts";
import { sizeFor } from "./size.ts";
import type { View } from "./view.ts";

/** Features of a unit, as hashes. One buffer serves all units of a message. */
export class Features {
  readonly hashes = new Int32Array(4096);
  size = 0;

  add(template: number, a: number, b = 0, c = 0): void {
    let hash = mix(template, a);
    if (b !== 0) hash = mix(hash, b);
    if (c !== 0) hash = mix(hash, c);
    if (this.size < this.hashes.length) this.hashes[this.size++] = hash;
  }

  /** Leaves some out. */
  thin(isLeftOut: () => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.size; i++) if (!isLeftOut()) this.hashes[kept++] = this.hashes[i] ?? 0;
    this.size = kept;
  }
}

/** What was decided of the units before. */
export type Decided = readonly (Candidate | undefined)[];

const [BEGIN, END] = [101, 102];

/** Templates of features. Their numbers are part of a trained model. */
const F = {
  bias: 1,
  word: 2,
  at: 3,
  near: 4,
  pair: 5,
  triple: 6,
  skip: 7,
  meansAt: 8,
  meansSide: 9,
  side: 10,
  other: 11,
  edge: 12,
  first: 13,
  previous: 14,
  sameType: 15,
  next: 16,
  flag: 17,
  length: 18,
  ownNoun: 30,
  rivalNoun: 31,
  nearest: 32,
  between: 33,
  ownAt: 34,
  ownPair: 35,
  implicit: 36,
  force: 37,
  taken: 38,
  cue: 39,
  anywhere: 40,
  ownMeans: 41,
  nearestWord: 42,
  bound: 43,
  held: 44,
  same: 45,
  way: 46,
} as const;

const WINDOW = 5;
/** Words of a clause that count on either side, so that a run-on text takes time in proportion. */
const CLAUSE = 12;
const OTHERS = 16;

const CLASSES: Readonly<Record<UnitType, number>> = {
  [TYPES.word]: 1,
  [TYPES.mark]: 1,
  [TYPES.noun]: 1,
  [TYPES.cue]: 1,
  [TYPES.unsupported]: 1,
  [TYPES.share]: 2,
  [TYPES.number]: 2,
  [TYPES.factor]: 2,
  [TYPES.money]: 3,
  [TYPES.time]: 4,
  [TYPES.phrase]: 5,
  [TYPES.entity]: 6,
  [TYPES.value]: 6,
  [TYPES.choice]: 7,
  [TYPES.flag]: 8,
};

/** What stands around a unit, whatever role it may have. */
export function addContext(features: Features, view: View, decided: Decided, at: number): void {
  const { units, words, from, to } = view;
  const unit = units[at];
  if (!unit) return;
  const kind = CLASSES[unit.type] * 1000;
  const isMention = unit.mention !== undefined;
  const word = (i: number): number => (i < 0 ? BEGIN : i >= words.length ? END : (words[i] ?? 0));
  const add = (template: number, a: number, b = 0, c = 0): void => features.add(kind + template, a, b, c);
  add(F.bias, 1);
  add(F.bias, 2, unit.type + 1);
  if (isMention) add(F.bound, boundAround(view, at));
  if (unit.mention?.amount) addWays(features, view, at, kind);
  if (!isMention) add(F.word, word(at));
  for (let d = -WINDOW; d <= WINDOW; d++) {
    if (d === 0) continue;
    add(F.at, d, word(at + d));
    if (Math.abs(d) <= 3) add(F.near, Math.sign(d), word(at + d));
  }
  for (let d = -4; d <= 3; d++) add(F.pair, d, word(at + d), word(at + d + 1));
  for (let d = -3; d <= 1; d++) add(F.triple, d, mix(word(at + d), word(at + d + 1)), word(at + d + 2));
  add(F.skip, 1, word(at - 2), word(at + 1));
  add(F.skip, 2, word(at - 1), word(at + 1));
  add(F.skip, 3, word(at - 1), word(at + 2));
  const clauseFrom = from[at] ?? 0;
  const clauseTo = to[at] ?? 0;
  for (let d = -4; d <= 4; d++) addBits(features, kind + F.meansAt, units[at + d]?.means ?? 0, d + 10);
  let [left, right] = [0, 0];
  for (let i = Math.max(clauseFrom, at - CLAUSE); i < at; i++) {
    left |= units[i]?.means ?? 0;
    add(F.side, 1, word(i));
    add(F.side, 3, word(i));
  }
  for (let i = at + 1; i <= Math.min(clauseTo, at + CLAUSE); i++) {
    right |= units[i]?.means ?? 0;
    add(F.side, 2, word(i));
    add(F.side, 3, word(i));
  }
  addBits(features, kind + F.meansSide, left, 1);
  addBits(features, kind + F.meansSide, right, 2);
  addBits(features, kind + F.meansSide, left | right, 3);
  add(F.edge, 1, word(clauseFrom));
  add(F.edge, 2, word(clauseFrom), word(clauseFrom + 1));
  add(F.edge, 3, word(clauseFrom - 1));
  add(F.edge, 4, word(clauseTo));
  add(F.edge, 5, word(clauseTo - 1), word(clauseTo));
  add(F.first, word(0));
  addHistory(features, view, decided, at, kind);
  if (!isMention) return;
  for (let i = Math.max(0, clauseFrom - OTHERS); i < clauseFrom; i++) add(F.other, 1, word(i));
  for (let i = clauseTo + 1; i <= Math.min(units.length - 1, clauseTo + OTHERS); i++)
    add(F.other, 2, word(i));
  addFlags(features, view, at, kind);
}

const WAYS = { up: 1, down: 2, none: 3 };

/** The direction that words beside an amount say, and the one that alone is allowed. */
function addWays(features: Features, { units, from, to }: View, at: number, kind: number): void {
  const beside = wayIn(units, { at, from: from[at] ?? 0, to: to[at] ?? 0 }) ?? "none";
  const only = onlyWay(units)?.way ?? "none";
  features.add(kind + F.way, 1, WAYS[beside]);
  features.add(kind + F.way, 2, WAYS[only]);
  features.add(kind + F.way, 3, WAYS[beside], WAYS[only]);
}

function addBits(features: Features, template: number, bits: number, place: number): void {
  let left = bits;
  while (left !== 0) {
    const bit = 31 - Math.clz32(left);
    features.add(template, place, bit + 1);
    left &= ~(1 << bit);
  }
}

/** What the mentions before were found to be, and what follows. */
function addHistory(features: Features, view: View, decided: Decided, at: number, kind: number): void {
  const { units, words, candidates } = view;
  let seen = 0;
  for (let i = at - 1; i >= 0 && seen < 2; i--) {
    const role = units[i]?.mention && decided[i];
    if (!role) continue;
    seen++;
    features.add(kind + F.previous, seen, role.fine);
    if (seen > 1) break;
    features.add(kind + F.previous, 3, role.fine, bucket(at - i));
    features.add(kind + F.previous, 4, role.fine, words[at - 1] ?? 0);
    features.add(kind + F.previous, 5, role.coarse, joint(words, i + 1, at));
  }
  const type = units[at]?.type ?? 0;
  if (units[at]?.mention) {
    for (let i = at - 1; i >= 0; i--) {
      const role = units[i]?.type === type ? decided[i] : undefined;
      if (!role) continue;
      features.add(kind + F.sameType, 1, role.fine);
      features.add(kind + F.sameType, 2, role.fine, joint(words, i + 1, at));
      break;
    }
  } else {
    const before = decided[at - 1];
    if (before) {
      features.add(kind + F.previous, 6, before.fine);
      features.add(kind + F.previous, 7, before.fine, words[at] ?? 0);
      features.add(kind + F.previous, 8, mix(before.fine, words[at - 1] ?? 0), words[at] ?? 0);
    }
  }
  for (let i = at + 1; i < units.length; i++) {
    const next = units[i];
    if (!next?.mention) continue;
    features.add(kind + F.next, 1, next.type + 1);
    features.add(kind + F.next, 2, next.type + 1, joint(words, at + 1, i));
    if (candidates[i] && next.type === type) features.add(kind + F.next, 3, bucket(i - at));
    break;
  }
}

/** The words between two units, four at most. */
function joint(words: Int32Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to && i < from + 4; i++) hash = mix(hash, words[i] ?? 0);
  return hash;
}

function addFlags(
  features: Features,
  { units, mentions, before, korean }: View,
  at: number,
  kind: number,
): void {
  const unit = units[at];
  const add = (flag: number): void => features.add(kind + F.flag, flag);
  if (!unit?.mention) return;
  const { amount, entity, values } = unit.mention;
  if (unit.capitals) add(1);
  if (unit.common) add(2);
  if (unit.unsupported) add(3);
  if (unit.nouns.length > 0) add(4);
  if (amount?.signed) add(amount.value < 0 ? 5 : 6);
  if (amount?.low !== undefined) add(7);
  if (amount?.unit === "none" && Number.isInteger(amount.value) && amount.value > 31) add(8);
  if (amount?.unit === "none" && amount.value < 1) add(9);
  if (amount?.unit === "share" && amount.value > 0.5) add(10);
  if (entity?.ambiguous) add(11);
  if (entity?.near) add(12);
  if (entity && entity.positions.length > 1) add(13);
  if (entity && entity.positions.length === 0) add(14);
  if (values.length > 1) add(15);
  if (values[0]?.absent) add(16);
  if (values[0]?.near) add(17);
  if (values[0]?.value === "false") add(18);
  if (values[0]?.slot.ordinary.includes(unit.word)) add(19);
  if (korean) add(20);
  const isFollowing = Object.keys(before).length > 0;
  if (isFollowing) add(21);
  features.add(kind + F.length, bucket(units.length), isFollowing ? 1 : 2, mentions.length === 1 ? 1 : 2);
}

const bucket = (distance: number): number =>
  distance <= 3 ? distance : distance <= 5 ? 4 : distance <= 8 ? 5 : distance <= 14 ? 6 : 7;

const [OWN, RIVAL, FOREIGN] = [1, 2, 3];

/** How a unit stands to a slot that it may fill: where the nouns of the slot are, and those of the slots that it could fill instead. */
export function addRelations(
  features: Features,
  view: View,
  decided: Decided,
  at: number,
  slot: SlotDeclaration,
): void {
  const { units, words, from, to, before } = view;
  const kind = CLASSES[units[at]?.type ?? TYPES.word] * 1000;
  const add = (template: number, a: number, b = 0, c = 0): void => features.add(kind + template, a, b, c);
  const rivals = new Set((view.candidates[at] ?? []).flatMap((other) => other.slot ?? []));
  rivals.delete(slot);
  const owner = (i: number): number => {
    const unit = units[i];
    if (!unit) return 0;
    const { nouns, cues } = unit;
    if (nouns.includes(slot) || cues.includes(slot)) return OWN;
    if (nouns.length + cues.length === 0) return 0;
    return nouns.some((noun) => rivals.has(noun)) || cues.some((cue) => rivals.has(cue)) ? RIVAL : FOREIGN;
  };
  const [clauseFrom, clauseTo] = [from[at] ?? 0, to[at] ?? 0];
  const reach = 16;
  // The nearest noun of the slot, and of its rivals, on either side: 0 before, 1 behind.
  const own = [0, 0];
  const rival = [0, 0];
  let ownAnywhere = 0;
  for (let d = 1; d <= reach; d++) {
    for (const side of [0, 1]) {
      const i = side === 0 ? at - d : at + d;
      const who = i < 0 || i >= units.length ? 0 : owner(i);
      if (who === OWN && own[side] === 0) own[side] = d;
      if (who === RIVAL && rival[side] === 0) rival[side] = d;
      if (who === OWN) ownAnywhere++;
      if (who !== 0 && d <= WINDOW) {
        add(F.ownAt, side === 0 ? -d : d, who);
        if (d > 1) add(F.ownPair, who, side + 1, words[side === 0 ? i + 1 : i - 1] ?? 0);
        add(F.ownPair, who + 3, side + 1, words[side === 0 ? i - 1 : i + 1] ?? 0);
      }
    }
  }
  const isInClause = (side: number, d: number): boolean =>
    d > 0 && (side === 0 ? at - d >= clauseFrom : at + d <= clauseTo);
  const place = (side: number, d: number): number =>
    d === 0 ? 1 : bucket(d) * 2 + (isInClause(side, d) ? 1 : 0);
  const [ownBefore = 0, ownBehind = 0] = own;
  const [rivalBefore = 0, rivalBehind = 0] = rival;
  add(F.ownNoun, 1, place(0, ownBefore));
  add(F.ownNoun, 2, place(1, ownBehind));
  add(F.ownNoun, 3, place(0, ownBefore), place(1, ownBehind));
  add(F.rivalNoun, 1, place(0, rivalBefore));
  add(F.rivalNoun, 2, place(1, rivalBehind));
  add(F.rivalNoun, 3, place(0, ownBefore), place(0, rivalBefore));
  add(F.rivalNoun, 4, place(1, ownBehind), place(1, rivalBehind));
  const nearest = nearestOf(own, rival, isInClause);
  add(F.nearest, nearest + 1);
  add(F.nearest, nearest + 1, words[at - 1] ?? BEGIN);
  add(F.nearest, nearest + 10, words[at + 1] ?? END);
  if (ownBefore > 0) add(F.between, 1, joint(words, at - ownBefore + 1, at));
  if (ownBehind > 0) add(F.between, 2, joint(words, at + 1, at + ownBehind));
  add(F.anywhere, Math.min(ownAnywhere, 2) + 1);
  const isImplicit = slot.implicit ? 1 : 2;
  add(F.implicit, isImplicit);
  add(F.implicit, isImplicit + 2, nearest + 1);
  add(F.implicit, isImplicit + 4, Math.min(rivals.size, 3) + 1);
  let bits = 0;
  for (let i = Math.max(clauseFrom, at - 5); i <= Math.min(clauseTo, at + 4); i++)
    bits |= units[i]?.means ?? 0;
  addBits(features, kind + F.ownMeans, bits, isImplicit * 10 + nearest + 1);
  const isInForce = before[slot.name] !== undefined;
  const isRivalInForce = [...rivals].some(({ name }) => before[name] !== undefined);
  const force = (isInForce ? 1 : 2) + (isRivalInForce ? 2 : 0) + (Object.keys(before).length > 0 ? 4 : 0);
  const value = before[slot.name];
  add(F.force, force);
  add(F.force, 50, typeof value === "number" ? Math.sign(value) + 2 : 4, bucket(units.length));
  add(F.force, force + 10, nearest + 1, isImplicit);
  add(F.force, force + 20, words[0] ?? 0);
  add(F.force, force + 30, words[at - 1] ?? BEGIN);
  add(F.force, force + 40, bucket(units.length));
  add(F.bound, boundAround(view, at), nearest + 1, isImplicit);
  addHeld(features, view, at, slot, kind);
  addTaken(features, view, decided, at, slot, kind);
}

/** How what is said stands to what is in force: a name to the selection, beside limits of the message and of before; an amount to the limit. */
function addHeld(
  features: Features,
  { units, words, from, to, before, slots, index }: View,
  at: number,
  slot: SlotDeclaration,
  kind: number,
): void {
  const mention = units[at]?.mention;
  if (!mention) return;
  const add = (template: number, a: number, b = 0, c = 0): void => features.add(kind + template, a, b, c);
  const inForce = before[slot.name];
  if (mention.amount) {
    if (typeof inForce !== "number") return;
    const size = Math.abs(sizeFor(slot, mention.amount, mention.amount.value));
    add(F.same, Math.sign(size - Math.abs(inForce)) + 2);
    return;
  }
  if (slot.kind !== "entity" && slot.kind !== "enum") return;
  const held =
    inForce === undefined ? 1 : heldOf(namesIn(mention, slot, index), [inForce].flat().map(String));
  let amounts = 0;
  for (let i = from[at] ?? 0; i <= (to[at] ?? 0); i++) if (units[i]?.mention?.amount) amounts++;
  const limits = slots.some(({ name, reads }) => before[name] !== undefined && reads && reads !== "change");
  const place = Math.min(amounts, 2) * 2 + (limits ? 1 : 0) + 1;
  add(F.held, held, place);
  add(F.held, held, place + 10, bucket(units.length));
  add(F.held, held + 10, place, words[at - 1] ?? BEGIN);
  add(F.held, held + 20, place, words[at + 1] ?? END);
  add(F.held, held + 30, place, words[from[at] ?? 0] ?? 0);
}

/** 2: all of the names are in force; 3: some; 4: none. */
function heldOf(names: readonly string[], inForce: readonly string[]): number {
  const held = names.filter((name) => inForce.includes(name)).length;
  return held === 0 ? 4 : held < names.length ? 3 : names.length === inForce.length ? 5 : 2;
}

const BOUNDS =
  MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast | MEANS.cap | MEANS.up | MEANS.down | MEANS.by;
const REACH_OF_BOUND = 6;

/** The nearest word before and behind that says how an amount bounds, and whether the clause denies it: "no price over 90". */
function boundAround({ units, from, to }: View, at: number): number {
  let hash = 0;
  let isDenied = false;
  for (const step of [-1, 1]) {
    let found = 0;
    for (let d = 1; d <= REACH_OF_BOUND && found === 0; d++) {
      const i = at + step * d;
      if (i < (from[at] ?? 0) || i > (to[at] ?? 0)) break;
      found = (units[i]?.means ?? 0) & BOUNDS;
    }
    hash = mix(hash, found);
  }
  for (let i = Math.max(from[at] ?? 0, at - CLAUSE); i < at; i++)
    isDenied ||= ((units[i]?.means ?? 0) & MEANS.not) !== 0;
  return mix(hash, isDenied ? 1 : 2);
}

/** Which noun is nearest in the clause, or else in the message: 0 none; own or a rival's, before or behind. */
function nearestOf(
  own: readonly number[],
  rival: readonly number[],
  isInClause: (side: number, d: number) => boolean,
): number {
  let [found, cost] = [0, Number.POSITIVE_INFINITY];
  for (const side of [0, 1]) {
    for (const [who, list] of [
      [1, own],
      [3, rival],
    ] as const) {
      const d = list[side] ?? 0;
      const price = d + (isInClause(side, d) ? 0 : 20);
      if (d === 0 || price >= cost) continue;
      [found, cost] = [who + side, price];
    }
  }
  return cost > 20 && found > 0 ? found + 4 : found;
}

/** Whether a mention before has the slot already, and what stands between. */
function addTaken(
  features: Features,
  { units, words }: View,
  decided: Decided,
  at: number,
  slot: SlotDeclaration,
  kind: number,
): void {
  for (let i = at - 1; i >= 0; i--) {
    const role = units[i]?.mention && decided[i];
    if (!role || role.slot !== slot) continue;
    features.add(kind + F.taken, 1, role.coarse);
    features.add(kind + F.taken, 2, role.coarse, joint(words, i + 1, at));
    features.add(kind + F.taken, 3, role.coarse, bucket(at - i));
    return;
  }
  features.add(kind + F.taken, 4);
}
