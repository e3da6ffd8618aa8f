import { isHard, MEANS, means, type Piece, type SlotDeclaration, senseOf } from "@interlock/understanding";
import { askHowMuch, type Draft } from "./draft.ts";
import { isTagged } from "./limits.ts";

/** Verbs whose direction stands behind their object: "push prices up", "make the valve cheaper". */
const MOVING = /^(?:push|put|bring|move|take|drive|make|get|nudge)$/;
/** Words that may stand before the verb of a request. */
const BEFORE_REQUEST = /^(?:please|just|now|also|then|let's|lets|let|us|me|only|ok|okay)$/;
const SUPPOSING = /^(?:if|when|whenever|suppose|supposing|assuming|once|after)$/;
const KOREAN_REQUEST = /^(?:줘|해줘|해주세요|주세요)$/;
/** Pieces between a verb and its object, and from there to its direction. */
const REACH = 5;

/**
 * Asks how much a request to change something means: "raise prices" without an amount. A question ("why did prices rise?", "should we
 * raise prices?") constrains nothing, and a message that says the amount or its limit needs no question.
 */
export function askForMoves(draft: Draft): void {
  const { pieces } = draft;
  let start = 0;
  for (let end = 0; end <= pieces.length; end++) {
    if (!isHard(pieces[end])) continue;
    if (!isQuestion(pieces, start, end)) askIn(draft, start, end);
    start = end + 1;
  }
}

function isQuestion(pieces: readonly Piece[], start: number, end: number): boolean {
  const first = pieces[start];
  return (
    (pieces[end]?.token.norm === "?" && !isTagged(pieces, end)) ||
    means(first, MEANS.question | MEANS.why) ||
    SUPPOSING.test(first?.token.norm ?? "")
  );
}

function askIn(draft: Draft, start: number, end: number): void {
  const { pieces } = draft;
  let isStart = true;
  let moving = -1;
  for (let at = start; at < end; at++) {
    const piece = pieces[at];
    if (!piece) break;
    if (means(piece, MEANS.up | MEANS.down) && !piece.used && !piece.entity && !isAdjective(pieces, at)) {
      const object = piece.token.hangul
        ? koreanObject(draft, at, end)
        : isStart
          ? objectIn(draft, at + 1, Math.min(end, at + 1 + REACH), piece)
          : moving >= 0 && at - moving <= 2 * REACH
            ? objectIn(draft, moving + 1, at)
            : undefined;
      if (object && !isSaid(draft, object)) {
        piece.used = true;
        askHowMuch(draft, object, means(piece, MEANS.up) ? 1 : -1);
      }
    }
    if (isStart && MOVING.test(piece.token.norm)) moving = at;
    const begins = means(piece, MEANS.joins | MEANS.separator) && !SUPPOSING.test(piece.token.norm);
    if (begins) moving = -1;
    isStart =
      /^(?:,|and|then|but)$/.test(piece.token.norm) || (isStart && BEFORE_REQUEST.test(piece.token.norm));
  }
}

/** "lower cost at the gearbox", "signed off": no verbs of a change. */
const isAdjective = (pieces: readonly Piece[], at: number): boolean => {
  const next = pieces[at + 1];
  const word = pieces[at]?.token.norm ?? "";
  const isSingular = senseOf(next, "noun")?.slot.reads === "change" && !next?.token.norm.endsWith("s");
  return word === "off" || (/^(?:lower|higher|cheaper)$/.test(word) && isSingular);
};

/** What a request changes: the slot of the noun, or for an entity the one that needs no noun. */
function objectIn(draft: Draft, from: number, to: number, verb?: Piece): SlotDeclaration | undefined {
  for (let i = from; i < to; i++) {
    const piece = draft.pieces[i];
    const noun = senseOf(piece, "noun")?.slot;
    if (noun?.reads === "change") return noun;
    // "drop the valve" leaves it out.
    const isWhole = piece?.entity || /^(?:everything|all)$/.test(piece?.token.norm ?? "");
    if (isWhole && !means(verb, MEANS.clear | MEANS.except) && !isPossessive(draft, i)) {
      return objectIn(draft, i + 1, to) ?? impliedChange(draft);
    }
    if (noun && noun.kind !== "entity" && noun.kind !== "enum") return undefined;
    if (!piece || !(means(piece, MEANS.filler | MEANS.all) || piece.value || noun || piece.entity))
      return undefined;
  }
  return undefined;
}

/** "raise the valve's volume" is about something else than its price. */
const isPossessive = ({ pieces }: Draft, at: number): boolean =>
  senseOf(pieces[at + 1], "unsupported") !== undefined;

function koreanObject({ pieces }: Draft, at: number, end: number): SlotDeclaration | undefined {
  let ending = at + 1;
  while (ending < end && means(pieces[ending], MEANS.filler) && !isKoreanEnding(pieces[ending])) ending++;
  if (!isKoreanEnding(pieces[ending]) || /^(?:것|건|거)$/.test(pieces[at + 1]?.token.norm ?? ""))
    return undefined;
  for (let i = at - 1; i >= at - REACH && !isHard(pieces[i]); i--) {
    const noun = senseOf(pieces[i], "noun")?.slot;
    if (noun?.reads === "change") return noun;
    // "가격으로 올려줘" puts something up as a price.
    if (!means(pieces[i], MEANS.filler) || /^으?로$/.test(pieces[i]?.token.norm ?? "")) return undefined;
  }
  return undefined;
}

const isKoreanEnding = (piece: Piece | undefined): boolean => KOREAN_REQUEST.test(piece?.token.norm ?? "");

const impliedChange = ({ slots }: Draft): SlotDeclaration | undefined =>
  slots.find((slot) => slot.reads === "change" && slot.implicit);

/** The message has an amount for the change, or its limit. */
function isSaid({ slots, values, cleared }: Draft, change: SlotDeclaration): boolean {
  const limit = change.implicit ? slots.find((slot) => slot.reads === "most" && slot.implicit) : undefined;
  return (
    values.has(change.name) || cleared.has(change.name) || (limit !== undefined && values.has(limit.name))
  );
}
