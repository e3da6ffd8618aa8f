import { isHard, isWord, MEANS, means, type Piece, senseOf } from "@interlock/understanding";

/** How far the word that completes a verb may be from it: "take the valve and the pump out". */
const REACH = 12;
const REMOVING: ReadonlySet<string> = new Set(
  "drop dropping remove removing delete deleting exclude scrap ditch dump lose forget discard disregard disregarding strike".split(
    " ",
  ),
);
/** "take the valve out", "leave the valve out", "with the valve out". */
const TAKING: ReadonlySet<string> = new Set(
  "with take taking leave leaving set setting kick throw pull put putting get keep keeping cut strike".split(
    " ",
  ),
);
/** Words that may take names out of a selection. */
export const REMOVING_WORDS: readonly string[] = [...REMOVING, ...TAKING];

const OUT = /^(?:out|off|away|aside)$/;
const REMOVING_KOREAN = /^(?:빼|뺄|제거|삭제|없애|지워|지우|제외)/;
const DETERMINER = /^(?:the|an?|our|my|those|these|that|this|both|from|of)$/;
const PARTICLE = /^(?:은|는|을|를|도|이|가|만|에서|목록|리스트|대상|선택|품목|것|거)$/;

/**
 * On which side of a verb the names are that it takes out of a selection: "drop the valve", VALVE-V7은 빼 줘. "Drop the valve to 90" and
 * "drop the price of the valve" are about a price.
 * @returns 0 where it takes out none
 */
export function sideOfRemoved(pieces: readonly Piece[], at: number): 1 | -1 | 0 {
  const { norm = "", hangul = false } = pieces[at]?.token ?? {};
  if (hangul) return REMOVING_KOREAN.test(norm) && isNextTo(pieces, at, -1, PARTICLE) ? -1 : 0;
  const isTaking = TAKING.has(norm);
  if (!(isTaking || REMOVING.has(norm)) || means(pieces[at - 1], MEANS.not)) return 0;
  if (!isNextTo(pieces, at, 1, DETERMINER)) return 0;
  let isOut = false;
  for (let i = at + 1; i <= at + REACH && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    // "drop the valve, max 5 %" goes on with something else.
    if (piece?.amount) return isOut ? 1 : 0;
    if (piece?.token.norm === "," && means(pieces[i + 1], MEANS.atMost | MEANS.atLeast | MEANS.cap)) break;
    isOut ||= OUT.test(piece?.token.norm ?? "");
    if (means(piece, MEANS.separator) && !means(piece, MEANS.joins)) break;
  }
  return isOut || !isTaking ? 1 : 0;
}

/** Whether a name is the next thing on a side, but for a determiner or its kind: "the item VALVE-V7". */
function isNextTo(pieces: readonly Piece[], at: number, step: 1 | -1, between: RegExp): boolean {
  for (let i = at + step; pieces[i] && !isHard(pieces[i]); i += step) {
    const piece = pieces[i];
    if (piece?.entity || piece?.value) return true;
    const noun = senseOf(piece, "noun")?.slot.kind;
    if (!between.test(piece?.token.norm ?? "") && noun !== "entity" && noun !== "enum") return false;
  }
  return false;
}

/** Whether a message leaves something out of everything there is, and not of what is selected: "all but the valve". */
export const isOfEverything = (pieces: readonly Piece[]): boolean =>
  pieces.some(
    (piece) => means(piece, MEANS.all) || /^(?:every|everything|all|any|anything)$/.test(piece.token.norm),
  );

/** What is not wanted is left out: "I don't need repair", "there is no need for the pump". */
const isUnwanted = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.clear) &&
  /^(?:don't|do|no|not)$/.test(piece?.token.norm ?? "") &&
  !isWord(piece, piece?.token.norm ?? "");

/** What is done to items. */
const TREATING = /^(?:do|price|reprice|optimi[sz]e|run|use|consider|take|calculate|recalculate)$/;

/** "don't price repair": the piece that names follow; undefined where nothing is denied. */
export function endOfDenied(pieces: readonly Piece[], at: number): number | undefined {
  const piece = pieces[at];
  if (!means(piece, MEANS.clear | MEANS.not)) return undefined;
  if (isUnwanted(piece) || /^(?:neither|nor)$/.test(piece?.token.norm ?? "")) return at;
  const isDenial = means(piece, MEANS.not) && /^(?:don't|do|never)$/.test(piece?.token.norm ?? "");
  return isDenial && TREATING.test(pieces[at + 1]?.token.norm ?? "") ? at + 1 : undefined;
}

/** Whether nothing goes on at a place that would be said of what is left out: "I don't want repair to cost more". */
export function endsRemoval(pieces: readonly Piece[], at: number): boolean {
  const [piece, next] = [pieces[at], pieces[at + 1]];
  const noun = senseOf(piece, "noun")?.slot;
  // "don't do the exchange prices"
  if (noun?.kind === "enum" || (noun?.reads === "change" && noun.implicit))
    return endsRemoval(pieces, at + 1);
  return (
    isHard(piece) ||
    means(piece, MEANS.joins | MEANS.separator | MEANS.not) ||
    /^(?:here|either|please|today|anymore|involved|included)$/.test(piece?.token.norm ?? "") ||
    (isWord(piece, "in") && /^(?:there|it|this|that|the|our|here)$/.test(next?.token.norm ?? ""))
  );
}

const STAYING = /^(?:is|are|be|stay|stays|remain|remains|should|shall|must|will|can|has|have|to|needs?)$/;
/** "the valve will have to stay out". */
const REACH_TO_OUT = 5;

/** Where what stands behind a name takes it out: "the valve stays out", "repair should be out of it"; -1 where nothing does. */
export function outBehind(pieces: readonly Piece[], name: number): number {
  const last = senseOf(pieces[name + 1], "noun") ? name + 1 : name;
  let out = last + 1;
  while (out - last <= REACH_TO_OUT && STAYING.test(pieces[out]?.token.norm ?? "")) out++;
  // "The EMEA prices are out of line" is a phrase of its own.
  if (out === last + 1 || !(isWord(pieces[out], "out") || isWord(pieces[out], "aside"))) return -1;
  const [next, second] = [pieces[out + 1], pieces[out + 2]];
  const isOfIt = isWord(next, "of") && /^(?:it|this|that|these|the)$/.test(second?.token.norm ?? "");
  const ends = isHard(next) || means(next, MEANS.separator | MEANS.joins);
  return ends || isOfIt || /^(?:too|please|here|then|again|for)$/.test(next?.token.norm ?? "") ? out : -1;
}

/** "no repair", "I don't want repair in there", "leaving repair aside": a word that is left out is a value, whatever else it may mean. */
export function isLeftOut(pieces: readonly Piece[], at: number): boolean {
  let before = at - 1;
  while (DETERMINER.test(pieces[before]?.token.norm ?? "")) before--;
  const [lead, next] = [pieces[before], pieces[at + 1]];
  const norm = lead?.token.norm ?? "";
  if (outBehind(pieces, at) >= 0) return true;
  const isOut = OUT.test(next?.token.norm ?? "");
  if (
    isOut &&
    (TAKING.has(norm) ||
      (/^(?:out|aside)$/.test(next?.token.norm ?? "") && (isHard(lead) || means(lead, MEANS.joins))))
  )
    return true;
  const leadsOut =
    endOfDenied(pieces, before) === before ||
    endOfDenied(pieces, before - 1) === before ||
    means(lead, MEANS.except) ||
    REMOVING.has(norm) ||
    /^(?:no|not)$/.test(norm);
  return leadsOut && (endsRemoval(pieces, at + 1) || isModifier(pieces, at, before));
}

/** "not the repair business though": behind an article, with a noun that the domain does not know. */
function isModifier(pieces: readonly Piece[], at: number, before: number): boolean {
  const next = pieces[at + 1];
  const isNoun = next?.token.kind === "word" && next.means === 0 && next.senses.length === 0;
  return isNoun && before < at - 1 && endsRemoval(pieces, at + 2);
}
