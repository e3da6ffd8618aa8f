import { hasRole, isHard, MEANS, means, type Piece, ROLES, senseOf } from "@interlock/understanding";

/** How far "add" and "as well" may be from what they add. */
const REACH = 6;
const ADDING = /^(?:add|adding|also|plus|include|including|throw)$/;
const ADDING_KOREAN = /^(?:추가|포함|더해|넣어)/;
/** "put the valve back in", "bring EMEA back". */
const PUTTING = /^(?:put|putting|bring|bringing|let|take|get|have)$/;
const BACK = /^(?:back|in)$/;
/** Behind "too": it says how much of something unless it ends what is said. */
const ENDING = /^(?:please|now|then|thanks|to|for|again)$/;

/** Whether names or values are added to those that are known: "add the valve", "also EMEA", "the valve as well". Marks the word for it. */
export function isAdded(pieces: readonly Piece[], first: number, last: number): boolean {
  return isAddedBefore(pieces, first) || isAddedBehind(pieces, last) || isPutBack(pieces, first, last);
}

function isPutBack(pieces: readonly Piece[], first: number, last: number): boolean {
  const before = BACK.test(pieces[first - 1]?.token.norm ?? "") ? first - 1 : first;
  let verb = before - 1;
  while (/^(?:the|an?|our|my|both|those|these)$/.test(pieces[verb]?.token.norm ?? "")) verb--;
  if (!PUTTING.test(pieces[verb]?.token.norm ?? "")) return false;
  let end = last + 1;
  while (BACK.test(pieces[end]?.token.norm ?? "")) end++;
  if (before === first && (end === last + 1 || !isEnd(pieces[end]))) return false;
  for (const piece of [...pieces.slice(verb, first), ...pieces.slice(last + 1, end)]) piece.used = true;
  return true;
}

function isAddedBefore(pieces: readonly Piece[], first: number): boolean {
  for (let i = first - 1; i >= first - REACH && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (piece && ADDING.test(piece.token.norm)) {
      piece.used = true;
      return !means(pieces[i - 1], MEANS.not);
    }
    if (!isBetween(piece)) return false;
  }
  return false;
}

function isAddedBehind(pieces: readonly Piece[], last: number): boolean {
  for (let i = last + 1; i <= last + REACH && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (!piece) return false;
    const length = lengthOfAddition(pieces, i);
    if (length > 0) {
      for (const part of pieces.slice(i, i + length)) part.used = true;
      return true;
    }
    if (!isBetween(piece)) return false;
  }
  return false;
}

const THEM = /^(?:it|that|this|them|those|these)$/;

/** Pieces of "on top of that", "in addition", "besides"; 0 where it is on top of something else: "on top of today's prices". */
function lengthOnTop(pieces: readonly Piece[], at: number): number {
  const norm = (i: number): string => pieces[i]?.token.norm ?? "";
  // "on top of" is one piece.
  const isOnTop = norm(at) === "on" && hasRole(pieces[at], ROLES.adds);
  const isAddition = norm(at) === "in" && norm(at + 1) === "addition";
  let end = at + (isAddition ? 2 : isOnTop || norm(at) === "besides" ? 1 : 0);
  if (end === at) return 0;
  if (/^(?:of|to)$/.test(norm(end))) end++;
  if (THEM.test(norm(end))) end++;
  return isEnd(pieces[end]) ? end - at : 0;
}

/** Pieces of "as well", "too" or 추가 at a place; 0 where it does not end what is said: "too high". */
export function lengthOfAddition(pieces: readonly Piece[], at: number): number {
  const norm = pieces[at]?.token.norm ?? "";
  if (ADDING_KOREAN.test(norm)) return 1;
  // "VALVE-V7도요", and not VALVE-V7도 괜찮아?
  if (norm === "도" && (isHard(pieces[at + 1]) || /^(?:요|해|해줘)$/.test(pieces[at + 1]?.token.norm ?? "")))
    return 1;
  if (/^(?:같이|함께)$/.test(norm)) return pieces[at - 1]?.token.norm === "도" ? 1 : 0;
  if (norm === "as" && pieces[at + 1]?.token.norm === "well") return isEnd(pieces[at + 2]) ? 2 : 0;
  if (/^(?:too|also)$/.test(norm)) return isEnd(pieces[at + 1]) ? 1 : 0;
  return lengthOnTop(pieces, at);
}

/** "also do the repair tier", VALVE-V7 다시 포함해 줘. */
const TREATING = /^(?:do|use|take|reprice|optimise|optimize|다시)$/;

const isBetween = (piece: Piece | undefined): boolean =>
  piece?.amount === undefined &&
  (means(piece, MEANS.filler) ||
    senseOf(piece, "noun") !== undefined ||
    TREATING.test(piece?.token.norm ?? ""));

const isEnd = (piece: Piece | undefined): boolean =>
  isHard(piece) || means(piece, MEANS.joins) || ENDING.test(piece?.token.norm ?? "");
