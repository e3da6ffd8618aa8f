import { isHard, MEANS, means, type Piece, type SlotDeclaration, senseOf } from "@interlock/understanding";
import { amountsInForce, isBound } from "./continuing.ts";
import { type Draft, setSlot } from "./draft.ts";

const FACTORS: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["doubling", 2],
  ["twice", 2],
  ["triple", 3],
  ["tripling", 3],
  ["quadruple", 4],
  ["halve", 1 / 2],
  ["halving", 1 / 2],
  ["half", 1 / 2],
  ["quarter", 1 / 4],
  ["절반", 1 / 2],
]);
/** How far from its factor what is scaled may be: "cut the current limit in half". */
const REACH = 5;
const POINTING = /^(?:it|that|this|them|those)$/;
const LED = /^(?:of|the|our|my|its|current|present|old|whole)$/;
/** "Half as much", "twice as high". */
const AS = /^(?:much|many|high|large|big|wide|far|strict)$/;

/** "Go for half", "make it half". */
const BEFORE_BARE = /\b(?:for|it|that|to|just|only|say)\s+$/i;
const BEFORE_LENGTH = 6;

const isEnd = (piece: Piece | undefined): boolean =>
  isHard(piece) ||
  means(piece, MEANS.joins) ||
  /^(?:please|then|now|instead|again)$/.test(piece?.token.norm ?? "");

/** Scales an amount in force: "double that cap", "halve it", "take half of that", "cut the limit in half". */
export function scaleAmounts(draft: Draft): void {
  const inForce = amountsInForce(draft).filter(({ name }) => !draft.values.has(name));
  if (inForce.length === 0) return;
  for (const [at, piece] of draft.pieces.entries()) {
    const factor = piece.used || piece.entity ? undefined : factorOf(piece);
    if (factor === undefined) continue;
    const slot = draft.korean ? scaledBefore(draft.pieces, at, inForce) : scaled(draft, at, inForce);
    const value = slot && Number((Number(draft.before[slot.name]) * factor).toPrecision(12));
    if (!slot || value === undefined || !fits(slot, value)) continue;
    for (const part of draft.pieces.slice(Math.max(0, at - REACH), at + REACH))
      if (part === piece || isNamed(part, slot)) part.used = true;
    markTold(draft, slot);
    setSlot(draft, slot, value, at);
    return;
  }
}

const fits = ({ kind, reads }: SlotDeclaration, value: number): boolean =>
  kind === "count" ? Number.isInteger(value) : kind !== "percent" || reads === "change" || value < 1;

/** 두 배 has its number before it. */
const factorOf = ({ token, amount }: Piece): number | undefined =>
  amount?.factor && token.hangul ? amount.value + 1 : FACTORS.get(token.norm);

/** 한도를 절반으로, 그건 너무 커, 절반으로: what is scaled stands before its factor, or was said last. */
function scaledBefore(
  pieces: readonly Piece[],
  at: number,
  inForce: readonly SlotDeclaration[],
): SlotDeclaration | undefined {
  for (let i = at - 1; at - i <= REACH && !isHard(pieces[i]) && pieces[i]?.token.norm !== ","; i--) {
    const named = inForce.find((slot) => isNamed(pieces[i], slot));
    if (named) return named;
    if (pieces[i]?.entity || senseOf(pieces[i], "noun")) return undefined;
  }
  return inForce[0];
}

/** What a factor scales; undefined where that is no amount in force: "double the price". */
function scaled(
  { pieces, text }: Draft,
  at: number,
  inForce: readonly SlotDeclaration[],
): SlotDeclaration | undefined {
  const norm = (i: number): string => pieces[i]?.token.norm ?? "";
  // "in half", "by half"
  const isBehind = norm(at) === "half" && /^(?:in|by)$/.test(norm(at - 1));
  if (
    isBehind &&
    norm(at - 1) === "by" &&
    pieces.slice(Math.max(0, at - REACH), at).some((piece) => means(piece, MEANS.up))
  )
    return undefined;
  if (norm(at + 1) === "as" && AS.test(norm(at + 2))) return isEnd(pieces[at + 3]) ? inForce[0] : undefined;
  const start = pieces[at]?.start ?? 0;
  const isBare =
    norm(at) === "half" && BEFORE_BARE.test(text.slice(Math.max(0, start - BEFORE_LENGTH), start));
  if (isBare && isEnd(pieces[at + 1])) return inForce[0];
  const step = isBehind ? -1 : 1;
  for (let i = isBehind ? at - 2 : at + 1; Math.abs(i - at) <= REACH && !isHard(pieces[i]); i += step) {
    const piece = pieces[i];
    const named = inForce.find((slot) => isNamed(piece, slot));
    if (named) return named;
    // "that cap"
    const noun = POINTING.test(norm(i)) && step === 1 ? pieces[i + 1] : undefined;
    if (POINTING.test(norm(i)) && !isSubject(noun)) return inForce[0];
    // "the price increase"
    const isOfChange = inForce.some(
      (slot) => slot.reads === "change" && senseOf(piece, "noun")?.slot === slot,
    );
    if (!POINTING.test(norm(i)) && !LED.test(norm(i)) && !isOfChange) return undefined;
  }
  return undefined;
}

/** Whether "that" stands before a noun, and not by itself. */
const isSubject = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  (piece.entity !== undefined ||
    senseOf(piece, "noun") !== undefined ||
    means(piece, MEANS.cap | MEANS.up | MEANS.down));

/** "cap" and 한도 of a limit, "increase" of a change. */
const isNamed = (piece: Piece | undefined, slot: SlotDeclaration): boolean =>
  slot.reads === "change"
    ? means(piece, MEANS.up | MEANS.down)
    : isBound(piece, slot) || (slot.reads === "most" && piece?.token.norm === "한도");

/** "10 is too much, take half of it": the value in force is no new one. */
function markTold({ pieces, before }: Draft, { name, kind }: SlotDeclaration): void {
  const value = Math.abs(Number(before[name]));
  for (const piece of pieces) {
    const said = Math.abs(piece.amount?.value ?? Number.NaN);
    if (
      said === value ||
      (kind === "percent" && piece.amount?.unit === "none" && Math.abs(said / 100 - value) < 1e-9)
    )
      piece.used = true;
  }
}
