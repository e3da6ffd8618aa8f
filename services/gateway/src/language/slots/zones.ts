import {
  hasRole,
  isHard,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import type { Draft } from "./draft.ts";
import { isAffected, isPayer, isTold, slotOfNoun } from "./parties.ts";

/** Words before a move that is not past but supposed: "explain the effect if we raise prices by 5 %". */
const SUPPOSING = new Set([
  "if",
  "when",
  "after",
  "once",
  "assuming",
  "suppose",
  "supposing",
  "provided",
  "should",
]);

const isSupposing = ({ token }: Piece): boolean => SUPPOSING.has(token.norm);

/** How far the words of an amount are looked for, so that a long text takes time in proportion. */
const LONGEST_ZONE = 40;
const MOST_EXTENSIONS = 5;

/** The pieces that say what an amount is for. */
export type Zone = { from: number; to: number };

/** What the words of a zone say. */
export type Words = {
  bound?: "most" | "least";
  direction: -1 | 0 | 1;
  nouns: readonly SlotDeclaration[];
  /** The amount is said of a change, whether or not its direction is. */
  moves: boolean;
  /** A subject that no slot has. */
  foreign?: Piece;
  why: boolean;
  parts: readonly Piece[];
};

/** Zones around an amount, from the nearest words to all that are before the next amount or the end of the sentence. */
export function* zonesAround(pieces: readonly Piece[], at: number): Generator<Zone> {
  const isEnd = (i: number): boolean =>
    (isHard(pieces[i]) && pieces[i]?.token.norm !== ":") ||
    (pieces[i]?.amount !== undefined && pieces[i]?.amount?.unit !== "time" && !countsNames(pieces, i));
  // "rise or fall": what "or" joins is about the same amount. "as 15 % higher", "limit: 5 %" go on with what stands before.
  const isSeparator = (i: number): boolean =>
    !/^(?:or|nor|또는)$/.test(pieces[i]?.token.norm ?? "") &&
    !(i === at - 1 && /^(?:as|:)$/.test(pieces[i]?.token.norm ?? "")) &&
    !joinsDirections(pieces[i - 1], pieces[i], pieces[i + 1]) &&
    !isOutcome(pieces, i) &&
    (isZoneEnd(pieces[i]) || pieces[i]?.token.norm === ":");
  let from = at;
  let to = at;
  while (!isEnd(from - 1) && !isSeparator(from - 1) && at - from < LONGEST_ZONE) from--;
  // "but not below 100": it parts what stands before it, and denies what follows.
  if (means(pieces[from - 1], MEANS.separator) && means(pieces[from - 1], MEANS.not)) from--;
  while (!isEnd(to + 1) && !isSeparator(to + 1) && to - at < LONGEST_ZONE) to++;
  // Words between two amounts belong to the second one, but for what only stands behind an amount.
  if (pieces[to + 1]?.amount) to = trimRight(pieces, at, to);
  yield { from, to };
  for (let more = 0; more < MOST_EXTENSIONS && !isEnd(from - 1); more++) {
    from--;
    while (!isEnd(from - 1) && !isSeparator(from - 1) && at - from < LONGEST_ZONE) from--;
    // "10 % at most, but 7 %": what stands right behind an amount is its own.
    if (pieces[from - 1]?.amount) break;
    yield { from, to };
  }
  if (isEnd(to + 1)) return;
  while (!isEnd(to + 1) && to - at < LONGEST_ZONE) to++;
  if (pieces[to + 1]?.amount) to = trimRight(pieces, at, to);
  yield { from, to };
}

/** "none should end up with less than 20 %", "what we are left with". */
const isOutcome = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.token.norm === "with" &&
  /^(?:up|out|left)$/.test(pieces[at - 1]?.token.norm ?? "") &&
  /^(?:ends?|ending|comes?|be|winds?|finish)$/.test(pieces[at - 2]?.token.norm ?? "");

/** "all 3 lenses": a number of what is named is no other amount. */
const countsNames = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.amount?.unit === "none" &&
  (pieces[at + 1]?.entity !== undefined || senseOf(pieces[at + 1], "noun")?.slot.kind === "entity");

/** "raise prices only if costs rise by 7 %": the amount is the condition's alone. */
export const isZoneEnd = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.separator) ||
  (means(piece, MEANS.unless) && !means(piece, MEANS.filler)) ||
  (means(piece, MEANS.joins) && piece?.senses.length === 0);

function trimRight(pieces: readonly Piece[], at: number, to: number): number {
  for (let i = at + 1; i <= to; i++) {
    // 5% 넘게 바꾸지 말고: the word that denies a bound comes last in Korean.
    if (pieces[i]?.token.norm === "말고") return i;
    if (means(pieces[i], MEANS.separator | MEANS.joins)) return i - 1;
  }
  return Math.min(to, at + 2);
}

/** Reads the words of a zone. */
export function wordsOf(draft: Draft, { from, to }: Zone, at: number): Words {
  const { pieces } = draft;
  const parts = pieces.slice(from, to + 1);
  const own = at - from;
  const before = parts.slice(0, own);
  const nouns = parts
    .flatMap((piece, i) =>
      piece.senses.flatMap((sense) =>
        sense.is === "noun" && !piece.value
          ? [{ slot: slotOfNoun(draft, parts, i, sense.slot), far: Math.abs(i - own) }]
          : [],
      ),
    )
    .sort((a, b) => a.far - b.far)
    .map(({ slot }) => slot);
  const bound = boundOf(parts, own, draft, at);
  const foreign = parts.find(
    (piece, i) =>
      piece.senses.length > 0 &&
      (senseOf(piece, "unsupported") !== undefined || senseOf(piece, "value")?.slot.kind === "choice") &&
      senseOf(piece, "noun") === undefined &&
      !piece.value &&
      !piece.entity &&
      // "maximise profit": the choice is read already; "what would profit be at +3 %" asks about it.
      !(senseOf(piece, "value") && (piece.used || isSignedAt(parts, own))) &&
      !isPayer(parts, i) &&
      !isTold(pieces, from + i) &&
      !isAffected(pieces, from + i) &&
      !isEachUnit(parts, i) &&
      !isOfReason(pieces, from + i, at) &&
      !(
        hasRole(piece, ROLES.supplies) && parts.some((part) => means(part, MEANS.up | MEANS.down | MEANS.by))
      ),
  );
  return {
    ...(bound === undefined ? {} : { bound }),
    direction: directionOf(parts, own),
    nouns,
    moves: parts.some((piece) => hasRole(piece, ROLES.moves)) || goesBothWays(parts),
    ...(foreign === undefined ? {} : { foreign }),
    // "lift prices by 9 % - where do we run into trouble?" asks about what would be.
    why: before.some((piece) => means(piece, MEANS.why)) && !before.some(isSupposing),
    parts,
  };
}

const isSignedAt = (parts: readonly Piece[], own: number): boolean =>
  parts[own]?.amount?.signed === true && /^(?:at|with)$/.test(parts[own - 1]?.token.norm ?? "");

/** What a clause begins with that says why, or under which circumstances. */
const REASONING = /^(?:with|as|because|since|given|now|while|although|though|seeing)$/;
const SPEAKERS = /^(?:i|i'd|i'll|i'm|we|we'd|we'll|we're|let's|please)$/;
/** Behind these those who speak are in a clause that only says more of what is before: "demand is what we limit to 4 %". */
const RELATIVE = /^(?:what|that|which|something|anything|whatever|who)$/;

/** "with demand being slow we'd rather not move by more than 3 %": what the reason is about, and not the amount behind it. */
function isOfReason(pieces: readonly Piece[], topic: number, at: number): boolean {
  let main = topic + 2;
  while (main < at && !SPEAKERS.test(pieces[main]?.token.norm ?? "")) main++;
  if (main >= at || RELATIVE.test(pieces[main - 1]?.token.norm ?? "")) return false;
  for (let i = topic - 1; i >= topic - REACH_OF_REASON && !isHard(pieces[i]); i--)
    if (REASONING.test(pieces[i]?.token.norm ?? "")) return true;
  return false;
}

/** Pieces between what begins a reason and what the reason is about. */
const REACH_OF_REASON = 6;

/** "3 % more for every unit", "5 euros per unit": what an amount is said of, and no volume. */
const isEachUnit = (parts: readonly Piece[], at: number): boolean =>
  parts[at]?.token.norm === "unit" && /^(?:every|each|per|a)$/.test(parts[at - 1]?.token.norm ?? "");

/** Korean comparisons that stand before their amount; the others stand behind. */
const BEFORE_AMOUNT = /^(?:최대|최소|최저|최고|적어도)$/;

/** Pieces between two bounds that "or" joins: "or below a". */
const REACH_OF_OTHER_BOUND = 4;

/** "never below 60 euros or below a margin of 20 %": what denies a bound denies the one that "or" joins to it. */
export function isDeniedBefore(pieces: readonly Piece[], at: number): boolean {
  let joint = at - 1;
  while (!/^n?or$/.test(pieces[joint]?.token.norm ?? "")) {
    if (at - joint >= REACH_OF_OTHER_BOUND || isHard(pieces[joint]) || pieces[joint]?.amount) return false;
    joint--;
  }
  if (!pieces[joint - 1]?.amount) return false;
  for (let i = joint - 2; i >= at - LONGEST_ZONE && !isHard(pieces[i]) && !pieces[i]?.amount; i--)
    if (isNegation(pieces[i])) return true;
  return false;
}

/** "not", "without", "I don't want". */
const isNegation = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.not) ||
  /^(?:without|말고)$/.test(piece?.token.norm ?? "") ||
  (means(piece, MEANS.clear) && /^(?:don't|dont|do)$/.test(piece?.token.norm ?? ""));

/** "4 % without tripping over the rules": the rules are no amount. */
const isOverRules = (parts: readonly Piece[], at: number): boolean =>
  means(parts[at], MEANS.above | MEANS.atMost) &&
  senseOf(parts[/^(?:the|our|any|a)$/.test(parts[at + 1]?.token.norm ?? "") ? at + 2 : at + 1], "neutral") !==
    undefined;

/** The comparison nearest to an amount; a negation before "more than" makes it "at most". */
function boundOf(
  parts: readonly Piece[],
  own: number,
  { pieces }: Draft,
  at: number,
): "most" | "least" | undefined {
  if (isRelative(parts, own)) return undefined;
  // "max. margin 30 % or better": what stands right behind an amount is its own.
  const next = parts[own + 1];
  if (next?.token.norm === "or" && means(next, MEANS.atMost | MEANS.atLeast))
    return means(next, MEANS.atMost) ? "most" : "least";
  const comparing = MEANS.atMost | MEANS.atLeast | MEANS.above | MEANS.below | MEANS.cap;
  // "50달러 이상 900달러 이하": in Korean a comparison stands behind its amount.
  if (parts[own - 1]?.token.norm === "최고") return "most";
  const isBehind = parts[own + 1]?.token.hangul && !BEFORE_AMOUNT.test(parts[own + 1]?.token.norm ?? "");
  let found = isBehind && means(parts[own + 1], comparing) ? own + 1 : undefined;
  for (let i = own - 1; i >= 0 && found === undefined; i--) if (means(parts[i], comparing)) found = i;
  for (let i = own + 1; i < parts.length && i <= own + 5 && found === undefined; i++)
    if (means(parts[i], comparing) && !isOverRules(parts, i)) found = i;
  if (found === undefined) return limitsChange(parts, own) ? "most" : senseBound(parts);
  const piece = parts[found];
  const reach = piece?.token.hangul ? parts.slice(found + 1) : parts.slice(0, found);
  const negated =
    isDeniedBefore(pieces, at) ||
    reach.some(isNegation) ||
    parts.slice(own + 1).some((part) => hasRole(part, ROLES.forbids));
  if (means(piece, MEANS.atMost | MEANS.cap)) return "most";
  if (means(piece, MEANS.atLeast)) {
    // "8% 이상 벗어나지 않게" is no more than that.
    const isDenied =
      piece?.token.hangul &&
      negated &&
      reach.some((part) => hasRole(part, ROLES.moves) || means(part, MEANS.up | MEANS.down));
    return isDenied ? "most" : "least";
  }
  return means(piece, MEANS.above) === negated ? "most" : "least";
}

/** "5 % below the others": in English, what follows an amount and compares says what it is relative to, and bounds nothing. */
export const isRelative = (parts: readonly Piece[], own: number): boolean =>
  means(parts[own + 1], MEANS.above | MEANS.below) && parts[own + 1]?.token.hangul === false;

/** Bounds that no comparison says: "hold increases to 5 %", "the biggest step is 4 %", "up or down by 3 %", "4 % is allowed". */
const limitsChange = (parts: readonly Piece[], own: number): boolean =>
  holdsTo(parts, own) ||
  goesBothWays(parts) ||
  isLargest(parts) ||
  isAllowed(parts) ||
  isPermitted(parts, own);

/** "hold increases to 5 %". */
const holdsTo = (parts: readonly Piece[], own: number): boolean =>
  /^(?:to|at)$/.test(parts[own - 1]?.token.norm ?? "") &&
  parts.slice(0, own).some((piece) => means(piece, MEANS.keep)) &&
  parts.slice(0, own).some((piece) => means(piece, MEANS.up | MEANS.down) || hasRole(piece, ROLES.moves));

/** "raise or cut", "up and down". */
const goesBothWays = (parts: readonly Piece[]): boolean =>
  parts.some((piece, i) => joinsDirections(parts[i - 1], piece, parts[i + 1]));

const joinsDirections = (
  before: Piece | undefined,
  joint: Piece | undefined,
  after: Piece | undefined,
): boolean =>
  /^(?:or|and|\/)$/.test(joint?.token.norm ?? "") &&
  ((means(before, MEANS.up) && means(after, MEANS.down)) ||
    (means(before, MEANS.down) && means(after, MEANS.up)));

const isLargest = (parts: readonly Piece[]): boolean =>
  parts.some(
    (piece, i) =>
      means(piece, MEANS.superlative) &&
      [parts[i + 1], parts[i + 2]].some((next) => hasRole(next, ROLES.moves)),
  );

const isAllowed = (parts: readonly Piece[]): boolean =>
  parts.some((piece) => hasRole(piece, ROLES.allows)) &&
  parts.some((piece) => hasRole(piece, ROLES.moves)) &&
  !parts.some((piece) => means(piece, MEANS.up | MEANS.down) || hasRole(piece, ROLES.adds));

/** "let's allow 4 %": what a move of nothing in particular may be. */
const isPermitted = (parts: readonly Piece[], own: number): boolean =>
  hasRole(parts[own - 1], ROLES.allows) &&
  !parts.some(
    (piece) =>
      means(piece, MEANS.up | MEANS.down) ||
      hasRole(piece, ROLES.adds) ||
      senseOf(piece, "noun")?.slot.reads === "least",
  );

/** Nouns such as "floor" are a bound by themselves. */
function senseBound(parts: readonly Piece[]): "most" | "least" | undefined {
  for (const piece of parts) {
    const noun = senseOf(piece, "noun")?.slot;
    if (noun?.kind === "money" && (noun.reads === "most" || noun.reads === "least")) return noun.reads;
  }
  return undefined;
}

/**
 * The direction nearest to an amount. "More" and "less" are one only behind it, "add" and "on top" only beside it, and "below" where what it
 * is compared with is today's value.
 */
function directionOf(parts: readonly Piece[], own: number): -1 | 0 | 1 {
  const after = parts[own + 1];
  if (goesBothWays(parts)) return 0;
  if (parts[own - 1]?.token.norm === "minus") return -1;
  if (isRelative(parts, own)) return means(after, MEANS.above) ? 1 : -1;
  if (means(after, MEANS.by)) return /^(?:less|off)$/.test(after?.token.norm ?? "") ? -1 : 1;
  let best: { far: number; up: boolean } | undefined;
  for (const [i, piece] of parts.entries()) {
    if (!means(piece, MEANS.up | MEANS.down) || piece.entity || piece.value) continue;
    const far = Math.abs(i - own);
    if (!best || far < best.far) best = { far, up: means(piece, MEANS.up) };
  }
  if (best) return best.up ? 1 : -1;
  return isAdded(parts, own) ? 1 : 0;
}

const isAdded = (parts: readonly Piece[], own: number): boolean =>
  parts.slice(Math.max(0, own - 2), own + 4).some((piece) => hasRole(piece, ROLES.adds)) ||
  // "put 4 % on everything".
  (parts[own - 1]?.token.norm === "put" && parts[own + 1]?.token.norm === "on");

/** The part of a zone that says what cannot be applied: from its first telling word to its last. */
export function phraseOf({ pieces }: Draft, { from, to }: Zone, at: number): [number, number] {
  const isTelling = (piece: Piece | undefined): boolean =>
    piece !== undefined &&
    (!means(piece, MEANS.filler | MEANS.joins | MEANS.separator | MEANS.question) ||
      piece.senses.length > 0 ||
      means(piece, MEANS.atMost | MEANS.atLeast));
  let [first, last] = [from, to];
  while (first < at && !isTelling(pieces[first])) first++;
  while (last > at && !isTelling(pieces[last])) last--;
  return [pieces[first]?.start ?? 0, pieces[last]?.end ?? 0];
}

/** Where the nearest words around an amount are. */
export function spanOf(draft: Draft, at: number): [number, number] {
  const [zone = { from: at, to: at }] = zonesAround(draft.pieces, at);
  return phraseOf(draft, zone, at);
}
