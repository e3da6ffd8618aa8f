import {
  isHard,
  isMention,
  MEANS,
  means,
  type Piece,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { isAdded } from "./additions.ts";
import { type Draft, setSlot } from "./draft.ts";
import { isAsked } from "./limits.ts";

/** Pieces between a denial and what it denies: "needn't be organic". */
const REACH_OF_DENIAL = 3;
/** How far what limits a message to a flag may be before its cue. */
const REACH = 7;
/** What is done to items; between "only" and what it is done to. */
const TREATING = new Set(
  (
    "fix fixing repair correct adjust reprice price mend update handle treat optimise optimize want need see show list name deal care look " +
    "interested"
  ).split(" "),
);
/** Verbs of which what they treat is a selection: "reprice whatever breaks a rule". */
const MENDING =
  /^(?:(?:fix|repair|correct|adjust|mend|sort|clean|treat)(?:ing)?|(?:re)?pric(?:e|ing)|(?:updat|handl|optimi[sz])(?:e|ing))$/;
/** "Some break a rule. Reprice just those." */
const REFERRING = /^(?:those|them|these)$/;
/** 그것만. */
const ONLY_THOSE = /^그(?:것|거)들?만/;
/** Pieces behind a mention of the flag among which "only those" is looked for. */
const REACH_OF_REFERENCE = 24;
/** "the ones that actually break a rule". */
const STRESSING = /^(?:actually|really|currently|clearly|still|now|do|would)$/;
const POINTING = /^(?:those|ones|one|what|whatever|that|everything|anything)$/;

/** A flag needs its cue beside "only" or a noun that it describes, so that a question about it does not set it. */
export function readFlag(draft: Draft, at: number, slot: SlotDeclaration): void {
  const { pieces } = draft;
  const cue = pieces[at];
  if (!cue) return;
  // "Idle machines": what the inputs say of things describes those that are meant. What a check finds is spoken of for other reasons, too.
  if (!slot.fromResults) {
    readAdjective(draft, at, slot);
    return;
  }
  const before = leadOf(pieces, at);
  const lead = pieces[before];
  const after = pieces[at + 1];
  const described = pieces.slice(before + 1, at + 2);
  const isOnly =
    means(lead, MEANS.only) ||
    means(after, MEANS.only) ||
    (senseOf(after, "noun") && means(pieces[at + 2], MEANS.only)) ||
    isOnlyInKorean(pieces, at) ||
    // "the prices that break a rule only if costs rise": "only if" is a phrase of its own.
    (after?.token.norm === "only" && described.some((piece) => senseOf(piece, "noun"))) ||
    leavesRest(pieces, at) ||
    sparesGood(pieces, at) ||
    isConditionToShow(pieces, at) ||
    areShown(draft, at) ||
    isReferredTo(pieces, at);
  const isMended =
    MENDING.test(lead?.token.norm ?? "") && !isDescribedVerb(pieces, before) && !isAsked(pieces, at);
  const isSelection =
    (isMended || endsWithPreposition(draft, lead)) &&
    described.some((piece) => {
      const noun = senseOf(piece, "noun")?.slot;
      return (
        noun?.kind === "entity" || (isMended && noun?.reads === "change") || POINTING.test(piece.token.norm)
      );
    });
  if (isKept(pieces, at)) return;
  if (!isOnly && !isSelection && !means(cue, MEANS.only) && !isEitherWay(pieces, at)) return;
  for (const part of pieces.slice(Math.max(0, before - 4), before))
    if (means(part, MEANS.only)) part.used = true;
  for (const part of [cue, lead, after, pieces[at + 2]])
    if (part && (part === cue || means(part, MEANS.only))) part.used = true;
  if (isDenied(pieces, before, at)) clear(draft, slot, before, at);
  else setSlot(draft, slot, true, at);
}

function readAdjective(draft: Draft, at: number, slot: SlotDeclaration): void {
  const { pieces } = draft;
  const cue = pieces[at];
  if (!cue) return;
  cue.used = true;
  const near = [
    ...pieces.slice(Math.max(0, at - REACH_OF_DENIAL), at),
    ...(cue.token.hangul ? pieces.slice(at + 1, at + 1 + REACH_OF_DENIAL) : []),
  ];
  const denied = near.filter((piece) => means(piece, MEANS.not | MEANS.clear | MEANS.except));
  for (const piece of denied) piece.used = true;
  if (denied.length === 0) setSlot(draft, slot, true, at);
  else clear(draft, slot, at, at);
}

/** The opposite of a flag: what is left out of it sets the flag, and what is added to it takes the flag back. */
export function readOpposite(draft: Draft, at: number, slot: SlotDeclaration): void {
  const { pieces } = draft;
  const piece = pieces[at];
  if (!piece) return;
  if (draft.excluded.has(piece)) setSlot(draft, slot, true, at);
  else if (isAdded(pieces, at, at)) clear(draft, slot, at, at);
  else return;
  piece.used = true;
}

function clear(draft: Draft, slot: SlotDeclaration, from: number, to: number): void {
  draft.cleared.add(slot.name);
  for (const piece of draft.pieces.slice(Math.max(0, from - 2), to + 3)) {
    if (means(piece, MEANS.not | MEANS.cap | MEANS.only | MEANS.except)) piece.used = true;
  }
}

/** The piece that a flag may depend on: what stands before its cue and the words that it describes. */
function leadOf(pieces: readonly Piece[], at: number): number {
  let before = at - 1;
  let isRelative = false;
  while (
    before >= 0 &&
    at - before < REACH &&
    !isHard(pieces[before]) &&
    (isDescribed(pieces, before) || (isRelative && isPlace(pieces, before)))
  ) {
    isRelative ||= /^(?:that|which|who)$/.test(pieces[before]?.token.norm ?? "");
    before--;
  }
  // "only fix what breaks a rule"
  // "only care about the violators"
  const isParticle = /^up$/.test(pieces[before]?.token.norm ?? "");
  const verb = means(pieces[before], MEANS.preposition) || isParticle ? before - 1 : before;
  if (isParticle && MENDING.test(pieces[verb]?.token.norm ?? "")) return verb;
  // "just show me the violations", "I only want to see the offenders"
  let lead = verb;
  while (verb - lead < REACH && isTreating(pieces[lead])) lead--;
  return means(pieces[lead], MEANS.only) ? lead : before;
}

const isTreating = (piece: Piece | undefined): boolean =>
  piece !== undefined && (TREATING.has(piece.token.norm) || /^(?:to|me|us|get)$/.test(piece.token.norm));

/** "the prices in DACH that break a rule", "the pumps that break a rule": what is named of what the flag is about. */
function isPlace(pieces: readonly Piece[], at: number): boolean {
  const next = pieces[at + 1]?.token.norm === "the" ? at + 2 : at + 1;
  return isMention(pieces[at]) || (means(pieces[at], MEANS.preposition) && isMention(pieces[next]));
}

function isDescribed(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  if (means(piece, MEANS.only | MEANS.preposition)) return false;
  return (
    means(piece, MEANS.filler | MEANS.not | MEANS.question | MEANS.all) ||
    senseOf(piece, "noun") !== undefined ||
    POINTING.test(piece?.token.norm ?? "") ||
    STRESSING.test(piece?.token.norm ?? "")
  );
}

/** "items that don't break a rule", 위반하지 않는 품목: the opposite of what the flag selects. */
const isKept = (pieces: readonly Piece[], at: number): boolean =>
  isNegation(pieces[at - 1]) ||
  (pieces[at]?.token.hangul === true &&
    pieces.slice(at + 1, at + 3).some((piece) => means(piece, MEANS.not) || piece.token.norm === "아니"));

const isNegation = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.not) &&
  /^(?:don't|dont|do|doesn't|does|never|not|nothing|no)$/.test(piece?.token.norm ?? "");

/** "how to fix what breaks", "don't fix whatever breaks". */
const isDescribedVerb = (pieces: readonly Piece[], at: number): boolean =>
  means(pieces[at - 1], MEANS.not) || /^(?:to|how)$/.test(pieces[at - 1]?.token.norm ?? "");

/** 위반인 품목만, 위반하는 것만. */
function isOnlyInKorean(pieces: readonly Piece[], at: number): boolean {
  if (!pieces[at]?.token.hangul) return false;
  let next = at + 1;
  while (next - at < REACH && (means(pieces[next], MEANS.filler) || senseOf(pieces[next], "noun"))) next++;
  return next > at + 1 && means(pieces[next], MEANS.only);
}

/** "Some prices break a rule. Reprice just those.": what follows selects what the message has spoken of. */
function isReferredTo(pieces: readonly Piece[], at: number): boolean {
  let goesOn = false;
  for (let i = at + 1; i <= at + REACH_OF_REFERENCE && pieces[i]; i++) {
    const piece = pieces[i];
    goesOn ||= isHard(piece);
    if (goesOn && (piece?.entity || piece?.value)) return false;
    if (ONLY_THOSE.test(piece?.token.norm ?? "")) return true;
    if (!REFERRING.test(piece?.token.norm ?? "")) continue;
    // "only those", "those alone", "only with those", "only list those"
    const only = [pieces[i - 1], pieces[i + 1], pieces[verbBefore(pieces, i)]].find((part) =>
      means(part, MEANS.only),
    );
    if (!only) continue;
    only.used = true;
    return true;
  }
  return false;
}

/** Between "only" and those that it selects: "only list those", "I only want to see those". */
const SHOWING =
  /^(?:to|with|want|need|wanted|see|list|show|have|get|me|about|at|look|interested|in|name|tell|give|know|us)$/;

function verbBefore(pieces: readonly Piece[], at: number): number {
  let before = at - 1;
  while (at - before < REACH && (SHOWING.test(pieces[before]?.token.norm ?? "") || before === at - 1))
    before--;
  return before;
}

/** "show the rule breakers among the pumps": those who break a rule are items; "show the violations" asks for a report. */
function areShown({ text, pieces }: Draft, at: number): boolean {
  const cue = pieces[at];
  if (!cue || !/[eo]rs$/i.test(text.slice(cue.start, cue.end))) return false;
  let lead = at - 1;
  while (means(pieces[lead], MEANS.filler | MEANS.all)) lead--;
  while (/^(?:me|us)$/.test(pieces[lead]?.token.norm ?? "")) lead--;
  return (
    /^(?:show|list|see|give|name)$/.test(pieces[lead]?.token.norm ?? "") && !isDescribedVerb(pieces, lead)
  );
}

/** "fix the offenders and nothing else", "…, leave the rest". */
function leavesRest(pieces: readonly Piece[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH && !isHard(pieces[i]); i++) {
    const [piece, next] = [pieces[i], pieces[i + 1]];
    const norm = piece?.token.norm ?? "";
    if (norm === "nothing") return next?.token.norm === "else";
    if (!/^(?:rest|others|other)$/.test(norm)) continue;
    return (
      pieces.slice(at + 1, i).some((part) => means(part, MEANS.except | MEANS.keep)) ||
      pieces.slice(i + 1, i + 4).some((part) => means(part, MEANS.exceptAfter) || part.token.norm === "left")
    );
  }
  return false;
}

const GOOD = /^(?:good|fine|ok|okay|clean|compliant|healthy|correct)$/;
/** Pieces between what spares somebody something and what that is: "I don't need to see the". */
const REACH_OF_SPARING = 5;

/** "Which items are in breach? I don't need to see the good ones", "…, skip the fine ones". */
function sparesGood(pieces: readonly Piece[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH_OF_REFERENCE && pieces[i]; i++) {
    if (!GOOD.test(pieces[i]?.token.norm ?? "") || !isDefinite(pieces[i - 1])) continue;
    for (let lead = i - 1; lead >= i - REACH_OF_SPARING && lead > at && !isHard(pieces[lead]); lead--) {
      const piece = pieces[lead];
      if (!piece || !means(piece, MEANS.not | MEANS.except | MEANS.clear)) continue;
      piece.used = true;
      return true;
    }
  }
  return false;
}

const isDefinite = (piece: Piece | undefined): boolean => /^(?:the|any|those)$/.test(piece?.token.norm ?? "");

/** Pieces around "only if" among which what depends on it is. */
const REACH_OF_CONDITION = 12;
const SHOWN = /^(?:show|shown|see|list|listed|display|displayed|mention|care|name|named|appear)$/;

/** "Only if a rule is broken do I want to see it", "list it only when it breaks a rule"; and not "raise it only if it breaks a rule". */
function isConditionToShow(pieces: readonly Piece[], at: number): boolean {
  let lead = at - 1;
  while (at - lead <= 2 && /^(?:it|they|that|this|the|a|one|he|she)$/.test(pieces[lead]?.token.norm ?? ""))
    lead--;
  const condition = pieces[lead];
  if (!means(condition, MEANS.unless) || condition?.token.norm !== "only") return false;
  let isShown = false;
  for (const step of [-1, 1]) {
    for (let i = lead; Math.abs(i - lead) <= REACH_OF_CONDITION && !isHard(pieces[i]); i += step) {
      const piece = pieces[i];
      if (piece?.amount || (i !== at && means(piece, MEANS.up | MEANS.down))) return false;
      isShown ||= SHOWN.test(piece?.token.norm ?? "");
    }
  }
  if (isShown && condition) condition.used = true;
  return isShown;
}

/** "don't restrict it to violators", "not only the violating items", "violators or not", 위반 품목만 말고. */
function isDenied(pieces: readonly Piece[], before: number, at: number): boolean {
  const isNot = (i: number): boolean =>
    means(pieces[i], MEANS.not) || /^(?:not|no|don't|dont)$/.test(pieces[i]?.token.norm ?? "");
  if (isEitherWay(pieces, at) || isNot(before - 1) || (isNot(before - 2) && !isHard(pieces[before - 1])))
    return true;
  return pieces.slice(at + 1, at + 4).some((piece, i, behind) => {
    const only = behind[i - 1];
    return piece.token.hangul && means(piece, MEANS.instead) && means(only, MEANS.only);
  });
}

const isEitherWay = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at + 1]?.token.norm === "or" && pieces[at + 2]?.token.norm === "not";

/** Whether a piece is a preposition or a phrase that ends with one: "best prices for". */
const endsWithPreposition = ({ text, lexicon }: Draft, piece: Piece | undefined): boolean => {
  if (!piece || means(piece, MEANS.preposition)) return piece !== undefined;
  const [last = ""] = /\p{L}+$/u.exec(text.slice(piece.start, piece.end)) ?? [];
  return (lexicon.meansOf(last.toLowerCase()) & MEANS.preposition) !== 0;
};
