import {
  COMMON_WORDS,
  hasRole,
  isHard,
  isPart,
  isWord,
  MEANS,
  means,
  type Piece,
  ROLES,
  SHORTEST_NEAR,
  type SlotDeclaration,
  senseOf,
  singularsOf,
  type ValueList,
} from "@interlock/understanding";
import { lengthOfAddition } from "./additions.ts";
import { hasAndBeside, isFramed, isFunctionWord, nounOf } from "./codes.ts";
import { correctionBefore, isCorrection } from "./corrections.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { isLeftOut } from "./removals.ts";

/** Comparisons with near values in one message. */
const MOST_CHECKS = 8_000;

/**
 * Finds values of enums: those of the inputs, and declared synonyms. A value that is an ordinary word too counts only where the words
 * around say so. A value that selects nothing in these inputs cannot be applied.
 */
export function findValues(draft: Draft): void {
  const { pieces, index } = draft;
  if (index.values.length === 0) return;
  const budget = { checks: MOST_CHECKS };
  const waiting: { at: number; slot: SlotDeclaration; value: string }[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || piece.entity || piece.amount || piece.token.kind !== "word") continue;
    for (const { slot, value, ordinary } of candidates(draft, piece, at, budget)) {
      if (piece.value) break;
      const isSaid = isFunctionWord(piece)
        ? isFramed(draft, slot, at)
        : !ordinary || isEvident(draft, slot, at);
      if (isSaid) accept(draft, at, slot, value);
      else waiting.push({ at, slot, value });
    }
    if (!piece.value) unknownValue(draft, piece, at);
  }
  if (waiting.length === 0) return;
  // Beside a value that is evident, the others are: "new and exchange". So are two of one slot.
  for (const list of [waiting, waiting.toReversed()]) {
    for (const { at, slot, value } of list) {
      const piece = pieces[at];
      if (piece?.value) continue;
      const isBeside = isFunctionWord(piece)
        ? hasAndBeside(pieces, at) && isJoined(draft, slot, value, at)
        : isJoined(draft, slot, value, at) || isBesideOther(draft, slot, at) || isPointedAt(draft, slot, at);
      if (isBeside) accept(draft, at, slot, value);
    }
  }
}

/** They mean nothing of a slot. */
const EMPTY = MEANS.filler | MEANS.preposition | MEANS.question;
type Candidate = { slot: SlotDeclaration; value: string; ordinary: boolean };

const NONE: readonly Candidate[] = [];
const NO_WORDS: readonly string[] = [];
const NO_SENSES: Piece["senses"] = [];

function candidates(
  draft: Draft,
  piece: Piece,
  at: number,
  budget: { checks: number },
): readonly Candidate[] {
  if (piece.senses.length > 0) return declaredOr(draft, piece, at);
  // A code in capitals may be a word with a meaning: "IT".
  if (piece.means !== 0 && (!piece.token.capitals || (piece.means & ~EMPTY) !== 0)) return NONE;
  const word = piece.token.norm;
  const isCommon = COMMON_WORDS.has(word);
  const singulars = isCommon || !word.endsWith("s") ? NO_WORDS : singularsOf(word);
  const mayBeMisspelt = word.length >= SHORTEST_NEAR && !isCommon;
  let found: Candidate[] | undefined;
  const known = {};
  // A value of the inputs with several words is in several pieces.
  const next = draft.pieces[at + 1];
  let both: string | undefined;
  for (const list of draft.index.values) {
    const { slot } = list;
    let value = list.values.get(word) ?? (singulars.length > 0 ? singularOf(list, singulars) : undefined);
    if (value === undefined && next && list.spaced) {
      both ??= draft.text.slice(piece.start, next.end).toLowerCase();
      value = list.values.get(both);
    }
    if (value !== undefined) {
      found ??= [];
      found.push({ slot, value, ordinary: isCommon || word.length < 2 });
    } else if (mayBeMisspelt && isEvident(draft, slot, at, known)) {
      found ??= [];
      for (const near of list.near.find(word, budget))
        found.push({ slot, value: list.spellings.get(near) ?? near, ordinary: false });
    }
  }
  return found ?? NONE;
}

/**
 * The values that a phrase of the domain is declared for. What the inputs themselves call a value is that one, whatever the word is declared
 * for: "the luxury segment" of inputs with one. Beside its noun a word that is declared for something else may be a value too.
 */
function declaredOr({ text, pieces, index }: Draft, piece: Piece, at: number): readonly Candidate[] {
  const mayBeOwn = (beside: Piece | undefined): boolean => senseOf(beside, "noun")?.slot.kind === "enum";
  if (!senseOf(piece, "value") && !mayBeOwn(pieces[at - 1]) && !mayBeOwn(pieces[at + 1])) return NONE;
  const said = text.slice(piece.start, piece.end).toLowerCase();
  const found: Candidate[] = [];
  for (const { slot, values } of index.values) {
    const own = values.get(said);
    const isBesideNoun = (): boolean => nounOf(pieces[at - 1], slot) || nounOf(pieces[at + 1], slot);
    let isDeclared = false;
    for (const sense of piece.senses) {
      if (sense.is !== "value" || sense.slot !== slot) continue;
      isDeclared = true;
      found.push(own === undefined ? sense : { ...sense, value: own });
    }
    if (own !== undefined && !isDeclared && isBesideNoun()) found.push({ slot, value: own, ordinary: false });
  }
  return found;
}

/** "contractors": what a value in the plural is the singular of, unless that is an ordinary word. */
function singularOf({ slot, values }: ValueList, singulars: readonly string[]): string | undefined {
  const singular = singulars.find((form) => values.has(form) && !COMMON_WORDS.has(form));
  return singular === undefined || slot.ordinary.includes(singular) ? undefined : values.get(singular);
}

function accept(draft: Draft, at: number, slot: SlotDeclaration, value: string): void {
  const piece = draft.pieces[at];
  const known = draft.index.values.find((list) => list.slot === slot);
  if (!piece) return;
  const own = known?.values.get(value.toLowerCase());
  piece.used = true;
  if (own === undefined && known?.complete) {
    const next = draft.pieces[at + 1];
    return void cannotApply(draft, piece.start, senseOf(next, "noun") && next ? next.end : piece.end);
  }
  piece.value = { slot, value: own ?? value };
  const next = draft.pieces[at + 1];
  // "new units" are no quantity.
  if (next && (STAND_INS.has(next.token.norm) || (hasRole(next, ROLES.pays) && !slot.keys)))
    next.senses = NO_SENSES;
  draft.places.set(slot.name, at);
}

/** They stand for a noun: "the premium ones". */
const STAND_INS = new Set(
  "one|ones|piece|pieces|stuff|gear|goods|kit|equipment|offer|offering|offerings|unit|units|model|models|hardware|merchandise|business".split(
    "|",
  ),
);
/** They may stand between a noun and its value: "the tier is new". */
const BETWEEN = new Set(["the", "our", "all", "is", "my", "but"]);
const LEADS = MEANS.only | MEANS.except | MEANS.up | MEANS.down | MEANS.preposition | MEANS.both;
/** How far behind a correction a value may be that takes the place of another one: "no, let's say standard". */
const REACH_OF_CORRECTION = 4;

/** @param known what was found out at the same place for another slot */
function isEvident(draft: Draft, slot: SlotDeclaration, at: number, known: { out?: boolean } = {}): boolean {
  const { pieces } = draft;
  const piece = pieces[at];
  if (piece?.token.capitals || piece?.token.hangul) return true;
  const after = at + 1;
  let before = at - 1;
  if (nounOf(pieces[before], slot) || nounOf(pieces[after], slot)) return true;
  if (slot.keys && (isOfProposal(pieces, at) || isSubjectOfVerb(pieces, at))) return false;
  if (senseOf(pieces[after], "noun") || STAND_INS.has(pieces[after]?.token.norm ?? "")) return true;
  if (slot.keys && isVerb(pieces, at)) return false;
  if (means(pieces[after], MEANS.only | MEANS.exceptAfter)) return true;
  if (isPart(pieces, at) || isContrast(pieces[after]) || isContrast(pieces[before])) return true;
  // "premium customers" are those of the segment.
  const isGroup = hasRole(pieces[after], ROLES.pays) && pieces[after]?.token.norm.endsWith("s") === true;
  if (isGroup && !slot.keys) return true;
  // "premium lenses"; a tier is a part of every item, and "new valves" may be no tier.
  if (pieces[after]?.entity && (!slot.keys || isDetermined(pieces, at))) return true;
  if (isHard(pieces[before]) && isWord(pieces[after], "please")) return true;
  // "make it premium, and at most 5 %"
  if (means(pieces[before], MEANS.correct) && isEnd(pieces[after])) return true;
  // "a dear one - premium I mean"
  if (means(pieces[after], MEANS.correct) && !isHard(pieces[before]) && isMark(pieces[before])) return true;
  // "optimise premium", "best prices for premium please"
  if (
    senseOf(pieces[before], "cue") &&
    (isEnd(pieces[after]) || BEHIND_AIM.test(pieces[after]?.token.norm ?? ""))
  )
    return true;
  const isOwn = piece !== undefined && piece.senses.length > 0;
  if (isOwn && isBehindObject(pieces[after]) && TREATING.test(pieces[before]?.token.norm ?? "")) return true;
  // "cheaper in exchange pls", and not "in exchange, we expect …"
  if (isWord(pieces[before], "in") && isHard(pieces[before - 1])) return false;
  if (corrects(draft, slot, at)) return true;
  known.out ??= isLeftOut(pieces, at) || lengthOfAddition(pieces, after) > 0;
  if (known.out) return true;
  if (isSaidAnew(draft, slot, at)) return true;
  while (before > 0 && BETWEEN.has(pieces[before]?.token.norm ?? "")) before--;
  if (nounOf(pieces[before], slot)) return true;
  if (!means(pieces[before], LEADS)) return false;
  return isHard(pieces[after]) || pieces[after]?.amount !== undefined || pieces[after]?.means !== 0;
}

/** What may stand behind what is aimed at. */
const BEHIND_AIM = /^(?:please|only|now|today|again)$/;

const isMark = (piece: Piece | undefined): boolean => piece?.token.kind === "mark";

/** "repair only those prices that …" does something to them; "repair only" is the tier. */
const isVerb = (pieces: readonly Piece[], at: number): boolean =>
  !isWord(pieces[at], "new") &&
  isWord(pieces[at + 1], "only") &&
  (/^(?:those|these|the|what|whatever|that)$/.test(pieces[at + 2]?.token.norm ?? "") ||
    senseOf(pieces[at + 2], "noun") !== undefined);

/** "the repair pumps": what is new may be so in many ways. */
const isDetermined = (pieces: readonly Piece[], at: number): boolean =>
  !isWord(pieces[at], "new") &&
  /^(?:the|our|my|your|their|both|all|for|of|in)$/.test(pieces[at - 1]?.token.norm ?? "");

/** What is done to prices: "reprice exchange without the valve". */
const TREATING = /^(?:(?:re)?pric(?:e|ing)|(?:re)?calculate|do)$/;

/** What may stand behind the object of a request. */
const isBehindObject = (piece: Piece | undefined): boolean =>
  isHard(piece) ||
  means(piece, MEANS.separator | MEANS.joins | MEANS.except | MEANS.preposition | MEANS.atMost | MEANS.only);

/** "suggest new ones", "compare it with the new one": proposals are new too, and "only the new ones" are of the tier. So is business. */
const isOfProposal = (pieces: readonly Piece[], at: number): boolean =>
  isWord(pieces[at], "new") &&
  /^(?:ones?|business)$/.test(pieces[at + 1]?.token.norm ?? "") &&
  !means(pieces[at + 2], MEANS.only | MEANS.exceptAfter | MEANS.instead) &&
  ![pieces[at - 1], pieces[at - 2]].some((piece) => means(piece, MEANS.only | MEANS.except | MEANS.not));

/** "the new models arrive in autumn" */
const isSubjectOfVerb = (pieces: readonly Piece[], at: number): boolean => {
  const verb = pieces[at + 2];
  return (
    isWord(pieces[at], "new") &&
    STAND_INS.has(pieces[at + 1]?.token.norm ?? "") &&
    verb?.token.kind === "word" &&
    verb.means === 0 &&
    verb.senses.length === 0
  );
};

const isEnd = (piece: Piece | undefined): boolean =>
  isHard(piece) || means(piece, MEANS.separator | MEANS.joins);

/** What may stand behind a value that takes the place of one in force, or is added to it. */
const BEHIND_ANEW = /^(?:instead|again|back|out|off|away|aside|in|to|with|for|by|now|please|then)$/;
/** What a value in force is changed with: "include repair", "make it budget", "swap new for repair". */
const ANEW =
  /^(?:include|including|add|adding|also|drop|remove|swap|replace|switch|change|substitute|for|with|to|by|it|that|and|then|now|put|bring|take|leave|the)$/;

/** "make it budget", "repair instead": where the slot is in force, an ordinary word may be another value of it. */
function isSaidAnew({ pieces, before }: Draft, slot: SlotDeclaration, at: number): boolean {
  const [lead, next] = [pieces[at - 1], pieces[at + 1]];
  // A value that is all that a sentence says goes on from what is in force, or from the other sentences.
  const isAlone = isHard(lead) && isHard(next);
  if (isAlone && (Object.keys(before).length > 0 || (pieces.length > 2 && !isWord(next, "?")))) return true;
  if (before[slot.name] === undefined) return false;
  const isLed = isHard(lead) || means(lead, MEANS.joins | MEANS.correct) || ANEW.test(lead?.token.norm ?? "");
  return isLed && (isEnd(next) || BEHIND_ANEW.test(next?.token.norm ?? ""));
}

/** "exchange rather than repair". */
const isContrast = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.instead) && !means(piece, MEANS.not | MEANS.above);

/** "premium, no, standard". */
function corrects({ corrections, places }: Draft, slot: SlotDeclaration, at: number): boolean {
  const before = places.get(slot.name);
  if (before === undefined || !isCorrection(corrections, before, at)) return false;
  return at - (correctionBefore(corrections, at)?.to ?? 0) <= REACH_OF_CORRECTION;
}

/** "Repair sells badly, price that tier": what is said later of the slot says that an ordinary word was a value of it. */
const isPointedAt = ({ pieces }: Draft, slot: SlotDeclaration, at: number): boolean =>
  pieces.some(
    (piece, i) =>
      i > at && nounOf(piece, slot) && /^(?:that|this|same)$/.test(pieces[i - 1]?.token.norm ?? ""),
  );

/** Whether another value of the same slot stands beside it, with nothing but "and" or a comma between. */
function isJoined({ pieces }: Draft, slot: SlotDeclaration, value: string, at: number): boolean {
  for (const step of [-1, 1]) {
    let other = at + step;
    while (pieces[other] && (means(pieces[other], MEANS.joins) || pieces[other]?.token.norm === "the"))
      other += step;
    if (other === at + step) continue;
    if (pieces[other]?.value?.slot === slot) return true;
    const sense = senseOf(pieces[other], "value");
    if (sense?.slot === slot && sense.value !== value) return true;
  }
  return false;
}

/** "what is our budget", "a standard for EMEA": a word that is determined so is hardly a value. */
const DETERMINED = /^(?:our|my|your|their|its|a|an|this|that|no|is|are|per)$/;

/**
 * "NA budget, repair tier", "standard and the new tier": a list of constraints gives each slot its value, and so an ordinary word
 * beside a value of another slot is one too. A part of every item may be a verb: "repair EMEA prices".
 */
function isBesideOther({ pieces }: Draft, slot: SlotDeclaration, at: number): boolean {
  const piece = pieces[at];
  const lead = pieces[at - 1];
  const norm = lead?.token.norm ?? "";
  // "the budget" is money where nothing says that it is a segment.
  if (DETERMINED.test(norm) || (norm === "the" && senseOf(piece, "unsupported"))) return false;
  const isOther = (i: number): boolean => {
    const other = pieces[i]?.value?.slot;
    return other !== undefined && other !== slot;
  };
  if (isOther(at - 1) && endsValue(pieces[at + 1])) return true;
  // "premium exchange": a message may say nothing but values.
  const next = senseOf(pieces[at + 1], "value")?.slot;
  if (isHard(lead) && !slot.keys && next?.kind === "enum" && next !== slot && isHard(pieces[at + 2]))
    return true;
  if (!slot.keys && isOther(at + 1)) return true;
  for (const step of [-1, 1]) {
    let other = at + step;
    while (isLink(pieces[other])) other += step;
    const ends = step === 1 || endsValue(pieces[at + 1]);
    if (other !== at + step && Math.abs(other - at) <= REACH_OF_LIST && ends && isOther(other)) return true;
  }
  return false;
}

/** Pieces between two values of a list: ", and the". */
const REACH_OF_LIST = 4;

const isLink = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.joins) || /^(?:the|for|in)$/.test(piece?.token.norm ?? "");

/** Nothing goes on behind it that would make another thing of a value: "EMEA standard, 5 %", and not "EMEA standard is high". */
const endsValue = (piece: Piece | undefined): boolean =>
  isEnd(piece) ||
  piece?.amount !== undefined ||
  piece?.value !== undefined ||
  piece?.entity !== undefined ||
  means(piece, LEADS) ||
  senseOf(piece, "cue") !== undefined ||
  senseOf(piece, "value")?.slot.kind === "enum";

/** "the gold segment": a value that neither the inputs nor the manifest know. */
function unknownValue(draft: Draft, piece: Piece, at: number): void {
  const next = draft.pieces[at + 1];
  if (!next || next.senses.length === 0 || piece.used || piece.senses.length > 0 || piece.means !== 0) return;
  const word = piece.token.norm;
  if (word.length < 3 || COMMON_WORDS.has(word)) return;
  if (!draft.index.values.some(({ slot }) => nounOf(next, slot))) return;
  piece.used = true;
  cannotApply(draft, piece.start, next.end);
}
