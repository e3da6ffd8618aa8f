import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { type EntityIndex, valuesOf } from "../catalogue/entity-index.ts";
import type { Slots } from "../catalogue/reading.ts";
import { TYPES, type Unit } from "../mentions/mention.ts";
import { unitsOf } from "../mentions/units.ts";
import { candidatesOf } from "../tagger/candidates.ts";
import { namesIn } from "../tagger/names-in.ts";
import { sizeFor } from "../tagger/size.ts";
import type { SlotReader } from "../text/compile.ts";
import { MEANS } from "../text/generic-words.ts";
import { plainText } from "../text/tokens.ts";
import { type Claim, type Proof, weaker } from "./claim.ts";
import { REST } from "./scopes.ts";
import { deniedWays, onlyWay, wayIn } from "./ways.ts";

/** A claim, what the message proves of it, and the units of the message that it is made of. */
export type Verified = {
  readonly claim: Claim;
  readonly slot: SlotDeclaration;
  readonly proof: Proof;
  readonly units: readonly number[];
};

export type Verification = {
  readonly claims: readonly Verified[];
  /** Slots of which a mention is in no claim and in no phrase that is named: the claims do not tell all. */
  readonly open: ReadonlySet<string>;
  /** Phrases that are named, literally in the message. */
  readonly named: readonly string[];
};

type Context = {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly slots: readonly SlotDeclaration[];
  readonly index: EntityIndex;
  readonly before: Slots;
};
type Span = { readonly from: number; readonly to: number };
type Found = { readonly proof: Proof; readonly units: readonly number[] };

/** Units of a quote that is about all of its mentions. One that is longer accounts for those alone that its claim is made of. */
const MOST_ACCOUNTED = 12;

const REFUSED: Found = { proof: "refused", units: [] };

/**
 * Verifies claims against the message that they are about: quotes are literal, sizes and directions are read anew by the one number
 * grammar, names are those of the catalogue, words of polarity agree, and no two claims are made of one mention.
 * @param before the slots of the turn before
 */
export function verifyClaims(
  message: string,
  { claims, named }: { claims: readonly Claim[]; named: readonly string[] },
  { reader, index, before }: { reader: SlotReader; index: EntityIndex; before: Slots },
): Verification {
  const { text, units } = unitsOf(message, reader, index);
  const context: Context = { text, units, slots: reader.slots, index, before };
  const accounted = new Set<number>();
  const verified = claims.flatMap((claim): Verified[] => {
    const slot = reader.slots.find(({ name }) => name === claim.slot);
    if (!slot) return [];
    const found = spansOf(claim.quote, context).map((span) => ofSpan(claim, slot, span, context));
    const best = found.reduce(
      (one, other) => (weaker(one.proof, other.proof) === one.proof ? other : one),
      REFUSED,
    );
    if (best.proof === "proven" || best.proof === "plausible")
      for (const { from, to } of found.length > 0 ? spansOf(claim.quote, context) : [])
        if (best.units.some((at) => at >= from && at <= to))
          for (let at = from; at <= to; at++)
            if (to - from < MOST_ACCOUNTED || best.units.includes(at)) accounted.add(at);
    if (best.proof !== "refused") for (const at of best.units) accounted.add(at);
    return [{ claim, slot, ...best }];
  });
  const literal = named.filter((phrase) => spansOf(phrase, context).length > 0);
  for (const phrase of literal)
    for (const { from, to } of spansOf(phrase, context))
      for (let at = from; at <= to; at++) accounted.add(at);
  const open = new Set<string>();
  for (const [at, unit] of units.entries())
    if (unit.mention && !accounted.has(at))
      for (const { slot } of candidatesOf(unit, reader.slots)) if (slot) open.add(slot.name);
  return { claims: withoutShared(verified), open, named: literal };
}

/** One amount is of one slot. Names may be selected and be the part that a limit is about. */
function withoutShared(claims: readonly Verified[]): Verified[] {
  const uses = new Map<number, Set<string>>();
  const isOfAmount = ({ claim, proof }: Verified): boolean =>
    claim.status === "applies" && claim.number !== null && proof !== "refused";
  for (const one of claims.filter(isOfAmount))
    for (const at of one.units)
      uses.set(at, (uses.get(at) ?? new Set()).add(`${one.slot.name} ${one.claim.number}`));
  return claims.map((one) =>
    isOfAmount(one) && one.units.some((at) => (uses.get(at)?.size ?? 0) > 1)
      ? { ...one, proof: "refused" }
      : one,
  );
}

/** Where a quote stands, as units. */
function spansOf(quote: string, { text, units }: Context): Span[] {
  const said = plainText(quote).replace(/\s+/g, " ").trim();
  if (said === "") return [];
  const spans: Span[] = [];
  for (let start = text.indexOf(said); start >= 0; start = text.indexOf(said, start + 1)) {
    const end = start + said.length;
    const from = units.findIndex((unit) => unit.end > start);
    const to = units.findLastIndex((unit) => unit.start < end);
    if (from >= 0 && from <= to) spans.push({ from, to });
  }
  return spans;
}

function ofSpan(claim: Claim, slot: SlotDeclaration, span: Span, context: Context): Found {
  if (claim.status === "told") return { proof: "plausible", units: mentionsIn(span, context) };
  if (slot.kind === "date") return REFUSED;
  if (claim.op === "clear") return ofClearing(slot, span, context);
  const isSelecting = slot.kind === "entity" || slot.kind === "enum";
  const found = isSelecting
    ? ofNames(claim, slot, span, context)
    : slot.kind === "choice" || slot.kind === "flag"
      ? ofWord(claim, slot, span, context)
      : ofAmount(claim, slot, span, context);
  return found.proof === "refused" ? found : withScope(claim, found, context);
}

const mentionsIn = ({ from, to }: Span, { units }: Context): number[] =>
  units.flatMap((unit, at) => (at >= from && at <= to && unit.mention ? [at] : []));

/** What is in force is taken back in words that take back. */
function ofClearing(slot: SlotDeclaration, span: Span, context: Context): Found {
  const { units, before } = context;
  const own = units.slice(span.from, span.to + 1);
  const takesBack = own.some(({ means }) => means & (MEANS.clear | MEANS.not | MEANS.all | MEANS.except));
  if (before[slot.name] === undefined) return REFUSED;
  if (!takesBack) return { proof: "unproven", units: [] };
  const isOfSlot = own.some(
    ({ nouns, cues, mention }) =>
      nouns.includes(slot) ||
      cues.includes(slot) ||
      mention?.entity?.slot === slot ||
      mention?.values.some((one) => one.slot === slot),
  );
  return { proof: isOfSlot ? "proven" : "plausible", units: mentionsIn(span, context) };
}

/** Units in which a word leaves out what is named before or behind it. */
const REACH_BACK = 8;
const REACH_ON = 5;

function ofNames(
  { op, names }: Claim,
  slot: SlotDeclaration,
  { from, to }: Span,
  { units, index }: Context,
): Found {
  if (op === "set" && slot.kind === "entity") return REFUSED;
  const wanted = new Set(names);
  const all = new Set(valuesOf(index, slot));
  const found = new Set<string>();
  const used: number[] = [];
  let proof: Proof = "proven";
  let isOtherNamed = false;
  for (let at = from; at <= to; at++) {
    const unit = units[at];
    if (!unit?.mention || unit.mention.values.some((one) => one.slot === slot && one.absent)) continue;
    const own = namesIn(unit.mention, slot, index);
    const meant = own.filter((name) => wanted.has(name));
    if (own.length > 0 && meant.length === 0) isOtherNamed = to - from < MOST_ACCOUNTED;
    if (meant.length === 0) continue;
    used.push(at);
    for (const name of meant) found.add(name);
    const { entity, values } = unit.mention;
    const isNear = entity?.slot === slot ? entity.near : values.some((one) => one.slot === slot && one.near);
    const isOther =
      values.some((one) => one.slot !== slot && !one.absent) || (entity && entity.slot !== slot);
    const isOrdinary = slot.ordinary.includes(unit.word);
    if (meant.length < own.length || isNear || isOther || isOrdinary) proof = "plausible";
    const isOut = isLeftOut(units, at);
    if (isOut !== (op === "except" || op === "freeze")) proof = "plausible";
  }
  if (names.length === 0 || [...wanted].some((name) => all.size > 0 && !all.has(name))) return REFUSED;
  if ([...wanted].every((name) => found.has(name))) return { proof, units: used };
  // What is called by a name that nobody knows may be meant; what is called by another one is not.
  return isOtherNamed ? REFUSED : { proof: "unproven", units: used };
}

function isLeftOut(units: readonly Unit[], at: number): boolean {
  for (let i = at - 1; i >= Math.max(0, at - REACH_BACK) && !isStop(units[i]); i--)
    if (hasMeaning(units[i], MEANS.except | MEANS.not | MEANS.keep)) return true;
  for (let i = at + 1; i <= at + REACH_ON && !isStop(units[i]); i++)
    if (hasMeaning(units[i], MEANS.exceptAfter | MEANS.keep)) return true;
  return false;
}

const isStop = (unit: Unit | undefined): boolean => unit === undefined || /^[.;:!?]$/.test(unit.word);
const hasMeaning = (unit: Unit | undefined, meaning: number): boolean =>
  unit !== undefined && !unit.mention && (unit.means & meaning) !== 0;

/** A word of a choice, or what a flag is said by. */
function ofWord({ names }: Claim, slot: SlotDeclaration, { from, to }: Span, { units }: Context): Found {
  const [name] = names;
  const value = slot.kind === "flag" ? "true" : name;
  for (let at = from; at <= to; at++) {
    const unit = units[at];
    const own = unit?.mention?.values.filter((one) => one.slot === slot && one.value === value) ?? [];
    if (own.length === 0 || (slot.kind === "choice" && names.length !== 1)) continue;
    const isOther =
      unit?.mention?.values.some((one) => one.slot !== slot) || unit?.mention?.entity !== undefined;
    const isSure = !isOther && !isLeftOut(units, at) && !slot.ordinary.includes(unit?.word ?? "");
    return { proof: isSure ? "proven" : "plausible", units: [at] };
  }
  const isOther = units
    .slice(from, to + 1)
    .some((unit) => unit.mention?.values.some((one) => one.slot === slot && one.value !== value));
  const isKnown =
    slot.kind === "flag" || (names.length === 1 && name !== undefined && Object.hasOwn(slot.values, name));
  return isOther || !isKnown ? REFUSED : { proof: "unproven", units: [] };
}

const isSize = (one: number, other: number): boolean =>
  Math.abs(Math.abs(one) - Math.abs(other)) <= 1e-9 * Math.max(1, Math.abs(one));

function ofAmount(claim: Claim, slot: SlotDeclaration, span: Span, context: Context): Found {
  const { units } = context;
  const { number, direction } = claim;
  if (number === null || claim.op !== "set") return REFUSED;
  const denied = number === 0 ? deniedIn(claim, slot, span, units) : undefined;
  if (denied) return denied;
  const fitting = mentionsIn(span, context).filter((at) =>
    sizesOf(units[at], slot).some((size) => isSize(size, number)),
  );
  const [at, ...others] = fitting;
  const unit = at === undefined ? undefined : units[at];
  if (at === undefined || !unit || others.length > 0) return REFUSED;
  if (unit.mention?.phrases.some((one) => one.slot === slot)) return { proof: "proven", units: [at] };
  const part = partOf(units, at);
  const proof = weaker(ofDirection(slot, direction, at, part, units), ofNoun(slot, at, part, context));
  return { proof, units: [at] };
}

/** The sizes that a unit has for a slot. */
function sizesOf(unit: Unit | undefined, slot: SlotDeclaration): number[] {
  if (!unit?.mention) return [];
  const { amount, phrases } = unit.mention;
  const set = phrases.filter((one) => one.slot === slot).map(({ value }) => value);
  if (!amount || !candidatesOf(unit, [slot]).some((one) => one.slot === slot)) return set;
  const low = amount.low === undefined ? [] : [sizeFor(slot, amount, amount.low)];
  return [...set, ...low, sizeFor(slot, amount, amount.value)];
}

/** "No increases", "cuts only": a change of which there may be none. */
function deniedIn(
  { direction }: Claim,
  slot: SlotDeclaration,
  { from, to }: Span,
  units: readonly Unit[],
): Found | undefined {
  if (slot.reads !== "most" || !slot.implicit || (direction !== "up" && direction !== "down"))
    return undefined;
  const only = onlyWay(units);
  const zeros = [
    ...deniedWays(units, []),
    ...(only ? [{ at: only.at, way: only.way === "up" ? ("down" as const) : ("up" as const) }] : []),
  ];
  const one = zeros.find(({ at, way }) => at >= from && at <= to && way === direction);
  return one && { proof: "plausible", units: [one.at] };
}

/** The part of the message that is about an amount: between the amounts before and behind it, within its sentence. */
function partOf(units: readonly Unit[], at: number): Span {
  const ends = (unit: Unit | undefined): boolean =>
    unit === undefined || /^[.;!?]$/.test(unit.word) || unit.mention?.amount !== undefined;
  let [from, to] = [at, at];
  while (!ends(units[from - 1])) from--;
  while (!ends(units[to + 1])) to++;
  return { from, to };
}

const BOUND = MEANS.atMost | MEANS.cap | MEANS.atLeast | MEANS.above | MEANS.below;

/** Whether the words at an amount allow its direction. */
function ofDirection(
  slot: SlotDeclaration,
  direction: Claim["direction"],
  at: number,
  part: Span,
  units: readonly Unit[],
): Proof {
  const amount = units[at]?.mention?.amount;
  const own = units.slice(part.from, part.to + 1).filter((unit) => !unit.mention);
  if (slot.reads === "change") {
    if (direction !== "up" && direction !== "down") return "refused";
    if (amount?.signed) return amount.value < 0 === (direction === "down") ? "proven" : "refused";
    const ups = own.filter(({ means }) => means & MEANS.up).length;
    const downs = own.filter(({ means }) => means & MEANS.down).length;
    if (ups > 0 === downs > 0) return "plausible";
    return ups > 0 === (direction === "up") ? "proven" : "refused";
  }
  if (slot.reads === undefined) return direction === "none" ? "proven" : "plausible";
  const way = slot.reads === "most" && slot.implicit ? wayIn(units, { at, ...part }) : undefined;
  if (direction === "up" || direction === "down") {
    if (slot.reads !== "most" || !slot.implicit) return "refused";
    if (way === direction || onlyWay(units)?.way === direction) return "proven";
    const meant = direction === "up" ? MEANS.up : MEANS.down;
    if (way !== undefined) return "refused";
    return own.some(({ means }) => means & meant) ? "plausible" : "unproven";
  }
  if (direction !== slot.reads) return "refused";
  const bound = boundAt(units, at, part);
  // "Warn me above 40" sets the most that is fine.
  if (bound !== undefined && bound !== slot.reads) return "unproven";
  return way !== undefined || (bound === undefined && !slot.implicit) ? "plausible" : "proven";
}

/** What the nearest word of comparison makes of an amount. */
function boundAt(units: readonly Unit[], at: number, { from, to }: Span): "most" | "least" | undefined {
  for (let d = 1; d <= Math.max(at - from, to - at); d++)
    for (const i of [at - d, at + d]) {
      const unit = i >= from && i <= to ? units[i] : undefined;
      if (!unit || unit.mention || !(unit.means & BOUND)) continue;
      if (unit.means & (MEANS.atMost | MEANS.cap)) return "most";
      if (unit.means & MEANS.atLeast) return "least";
      const denied = units.slice(from, to + 1).some((one) => !one.mention && one.means & MEANS.not);
      const isBelow = (unit.means & MEANS.below) !== 0;
      return isBelow === denied ? "least" : "most";
    }
  return undefined;
}

/** Whether the words at an amount are about the slot: its noun, or no other's where it needs none. */
function ofNoun(slot: SlotDeclaration, at: number, part: Span, { units, slots }: Context): Proof {
  const unit = units[at];
  if (!unit) return "refused";
  const rivals = slots.filter(
    (one) => one !== slot && candidatesOf(unit, [one]).some((candidate) => candidate.slot === one),
  );
  let [own, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = part.from; i <= part.to; i++) {
    const { nouns = [], cues = [], mention } = units[i] ?? {};
    const about = [...nouns, ...cues, ...(mention?.values.map((one) => one.slot) ?? [])];
    if (about.includes(slot)) own = Math.min(own, Math.abs(i - at));
    if (about.some((one) => rivals.includes(one) && !about.includes(slot)))
      other = Math.min(other, Math.abs(i - at));
  }
  if (own < other) return "proven";
  if (other < own) return own < Number.POSITIVE_INFINITY || slot.implicit ? "plausible" : "unproven";
  return slot.implicit || rivals.length === 0 ? "proven" : "plausible";
}

/** The part that a limit is about is quoted, too: its names, or the rest. Both stand together, without another amount between. */
function withScope({ scope, quote }: Claim, found: Found, context: Context): Found {
  if (scope.length === 0) return found;
  const { units, slots, index } = context;
  const used = [...found.units];
  let proof: Proof = found.proof;
  for (const { quote: said, slot: name, names } of scope) {
    const slot = slots.find((one) => one.name === name);
    const [span] = spansOf(said === "" ? quote : said, context);
    if (!slot || !span || names.length === 0) return REFUSED;
    const known = new Set(valuesOf(index, slot));
    if (names.some((one) => !known.has(one))) return REFUSED;
    const at = mentionsIn(span, context).filter((i) => {
      const mention = units[i]?.mention;
      return mention && namesIn(mention, slot, index).some((one) => names.includes(one));
    });
    const own = at.flatMap((i) => namesIn(units[i]?.mention ?? { values: [], phrases: [] }, slot, index));
    const isRest = units.slice(span.from, span.to + 1).some((unit) => !unit.mention && REST.test(unit.word));
    if (!names.every((one) => own.includes(one))) {
      if (!isRest) return REFUSED;
      proof = weaker(proof, "plausible");
    }
    const amount = found.units.find((i) => units[i]?.mention?.amount);
    const between =
      amount === undefined ? [] : units.slice(Math.min(amount, span.from) + 1, Math.max(amount, span.from));
    if (between.some((unit) => unit.mention?.amount || unit.type === TYPES.mark))
      proof = weaker(proof, "plausible");
    used.push(...at);
  }
  return { proof, units: used };
}
