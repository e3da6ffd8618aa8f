import { hasRole, isHard, isWord, MEANS, means, type Piece, ROLES } from "@interlock/understanding";
import { type Claim, foreignClaim, noClaim, openClaim } from "./claims.ts";
import { amountsInForce } from "./continuing.ts";
import { isCorrection } from "./corrections.ts";
import { ask, cannotApply, type Draft, labelOf, setSlot } from "./draft.ts";
import { isCount, moneyClaim } from "./money.ts";
import { formerly, isFact, isJudged, isOfOthers } from "./past.ts";
import { asShare, changeOf, limitOfChange, shareClaim } from "./shares.ts";
import { wordsOf, zonesAround } from "./zones.ts";

/** Gives each amount its slot, by the words around it. */
export function readQuantities(draft: Draft): void {
  shareUnits(draft);
  const claims: Claim[] = [];
  for (const [at, piece] of draft.pieces.entries()) {
    if (piece.amount && !piece.used && !piece.entity) claims.push(claimOf(draft, at, piece.amount));
  }
  for (const claim of corrected(draft, sharedOut(draft, claims))) apply(draft, claim);
}

/** Pieces between two amounts of which one takes the place of the other, and only that one has a unit. */
const REACH_OF_UNIT = 6;

/** "at most 5, no, 4 %", "at four rather than six per cent": a number has the unit of what takes its place, or of what it replaces. */
function shareUnits(draft: Draft): void {
  const { pieces, corrections } = draft;
  let before = -1;
  for (const [at, { amount, entity }] of pieces.entries()) {
    if (!amount || entity) continue;
    const number = pieces[before];
    const isReplaced =
      at - before <= REACH_OF_UNIT && (isCorrection(corrections, before, at) || isRejected(pieces, at));
    if (amount.unit === "share" && number?.amount?.unit === "none" && isReplaced && !isCount(draft, before))
      number.amount = { ...number.amount, unit: "share", value: number.amount.value / 100 };
    before = at;
  }
}

/** "5 % instead of 7 %", "not 8 % but 5 %". */
function isRejected(pieces: readonly Piece[], at: number): boolean {
  const lead = pieces[at - 1];
  return (
    isWord(lead, "not") ||
    (means(lead, MEANS.instead) &&
      !/^(?:not|over|vs|versus)$/.test(lead?.token.norm ?? "") &&
      !lead?.token.hangul)
  );
}

/** "raise the valve by 3 % and the pump by 5 %": an amount with a subject of its own is for what the one beside it is for. */
function sharedOut(draft: Draft, claims: readonly Claim[]): readonly Claim[] {
  if (claims.length < 2) return claims;
  const shared: Claim[] = [];
  for (const [i, claim] of claims.entries()) {
    const before = shared[i - 1];
    const after = claims[i + 1];
    // A Korean sentence ends with its verb; in English a noun behind is that of its own amount.
    const isOfBoth = draft.korean || (after?.is === "slot" && after.implied);
    shared.push(
      asBeside(draft, before, claim) ?? (isOfBoth ? asBeside(draft, after, claim) : undefined) ?? claim,
    );
  }
  return shared;
}

/** An amount as another value of what the one beside it is for; undefined where it is for something else. */
function asBeside(draft: Draft, beside: Claim | undefined, claim: Claim): Claim | undefined {
  if (beside?.is !== "slot" || beside.sets.length !== 1) return undefined;
  // "one" in words stands for a thing.
  const isNumber = draft.pieces[claim.at]?.token.kind === "number" && !isCount(draft, claim.at);
  const isBare = claim.is === "nothing" && claim.amount.unit === "none" && isNumber;
  const isOpen = claim.is === "open" || isBare || isBareBound(draft, claim);
  const isToo = isBoundedToo(draft, beside, claim);
  if (!isToo && !(isOpen && haveOwnSubjects(draft, beside.at, claim.at))) return undefined;
  const isShare = isBare && beside.amount.unit === "share" && claim.amount.value >= 1;
  const value = Math.abs(isShare ? claim.amount.value / 100 : claim.amount.value);
  const sets = beside.sets.map((set) => ({ slot: set.slot, value: set.value < 0 ? -value : value }));
  return { ...beside, at: claim.at, amount: claim.amount, spent: claim.spent, sets };
}

/** "at most 5 % up and 3 % down": the bound is that of both, with nothing but their directions and a joint between. */
function isBoundedToo({ pieces }: Draft, before: Claim, claim: Claim): boolean {
  if (before.is !== "slot" || claim.is !== "slot" || before.sets[0]?.slot.reads !== "most") return false;
  const isBetween = (piece: Piece): boolean => means(piece, MEANS.up | MEANS.down | MEANS.joins);
  return (
    claim.sets[0]?.slot.reads === "change" &&
    claim.implied &&
    before.at < claim.at &&
    pieces.slice(before.at + 1, claim.at).every(isBetween) &&
    means(pieces[before.at + 1], MEANS.up | MEANS.down) &&
    means(pieces[claim.at + 1], MEANS.up | MEANS.down)
  );
}

/** "the valve at least 30 % margin, the pump at least 20 %": a bound that says nothing of what it bounds. */
const isBareBound = ({ pieces }: Draft, { is, at, amount }: Claim): boolean =>
  is === "foreign" &&
  amount.unit === "share" &&
  pieces.slice(Math.max(0, at - 3), at + 3).every(({ senses }) => senses.length === 0);

/** Pieces beside a joint of two amounts among which their subjects are. */
const REACH_TO_SUBJECT = 10;

/** Whether each of two amounts that are joined has a name on its side. */
function haveOwnSubjects({ pieces }: Draft, one: number, other: number): boolean {
  const [from, to] = one < other ? [one, other] : [other, one];
  if (to - from > 2 * REACH_TO_SUBJECT || pieces.slice(from, to).some(isHard)) return false;
  let joint = to - 1;
  while (joint > from && !means(pieces[joint], MEANS.joins | MEANS.separator)) joint--;
  if (joint === from) return false;
  const isNamed = (step: 1 | -1): boolean => {
    for (let i = joint + step; Math.abs(i - joint) <= REACH_TO_SUBJECT && !isHard(pieces[i]); i += step)
      if (pieces[i]?.entity ?? pieces[i]?.value) return true;
    return false;
  };
  return isNamed(-1) && isNamed(1);
}

function claimOf(draft: Draft, at: number, amount: Claim["amount"]): Claim {
  if (amount.unit === "time") return noClaim(at, amount);
  if (isOfOthers(draft.pieces, at) || isFact(draft.pieces, at) || isJudged(draft.pieces, at))
    return withoutClaim(draft, at, amount);
  const former = formerly(draft.pieces, at);
  if (former === undefined) return claimNow(draft, at, amount);
  const claim = claimNow(draft, at, amount);
  // "costs rose by 5 % last year" is no limit that another one takes the place of.
  const isLimit = claim.is === "open" || (claim.is === "slot" && claim.sets[0]?.slot.reads !== "change");
  return former === "said" || isLimit ? { ...claim, former } : withoutClaim(draft, at, amount);
}

function withoutClaim(draft: Draft, at: number, amount: Claim["amount"]): Claim {
  const [zone] = zonesAround(draft.pieces, at);
  return noClaim(at, amount, zone && wordsOf(draft, zone, at));
}

function claimNow(draft: Draft, at: number, amount: Claim["amount"]): Claim {
  if (amount.unit === "share") return shareClaim(draft, at, amount);
  const share = isCount(draft, at) ? undefined : asShare(draft, at, amount);
  return share ? shareClaim(draft, at, share) : moneyClaim(draft, at, amount);
}

function apply(draft: Draft, claim: Claim): void {
  const piece = draft.pieces[claim.at];
  if (piece && (claim.is !== "nothing" || claim.amount.unit !== "none")) piece.used = true;
  for (const part of claim.spent) part.used = true;
  if (claim.is === "slot") for (const { slot, value } of claim.sets) setSlot(draft, slot, value, claim.at);
  if (claim.is === "foreign") cannotApply(draft, ...claim.phrase);
  if (claim.is === "open") askForShare(draft, claim.at, claim.amount.value);
}

/** Lets an amount that corrects another one take its place: "at most 9 %, sorry, 6 %", "not 8 % but 5 %". */
function corrected(draft: Draft, claims: readonly Claim[]): readonly Claim[] {
  const kept: Claim[] = [];
  // Where the latest claim is that constrains, and the latest share.
  let earlier = -1;
  let share: Claim | undefined;
  for (const read of claims) {
    const claim = asPrice(draft, kept[earlier], asPercent(draft, share, read));
    if (claim.amount.unit === "share") share = claim;
    if (claim.is === "nothing" || isDenied(draft, claim, claims)) {
      kept.push({ ...noClaim(claim.at, claim.amount), spent: claim.spent });
      continue;
    }
    const before = kept[earlier];
    const isReplaced = before && !claim.former && (before.former || corrects(draft, before, claim));
    const merged = isReplaced ? mergedOf(draft, before, claim) : undefined;
    if (before && merged) {
      kept[earlier] = { ...noClaim(before.at, before.amount), spent: before.spent };
      const replaced = draft.pieces[before.at];
      if (replaced) replaced.used = true;
    }
    earlier = kept.push(merged ?? claim) - 1;
  }
  return kept.map((claim) =>
    claim.former === "was" ? { ...noClaim(claim.at, claim.amount), spent: claim.spent } : claim,
  );
}

/** "at most 10 %, sorry, 8": a plain number behind a share that it corrects, and does not repeat, is one too. */
function asPercent({ corrections }: Draft, share: Claim | undefined, claim: Claim): Claim {
  const { at, amount } = claim;
  if (!share || claim.is !== "nothing" || amount.unit !== "none" || amount.value >= 100) return claim;
  const isOther = Math.abs(share.amount.value * 100 - amount.value) > 1e-9;
  if (!isOther || !isCorrection(corrections, share.at, at)) return claim;
  return openClaim(at, { ...amount, unit: "share", value: amount.value / 100 });
}

/** "ceiling 500, wait, 550": a plain number behind a price that it corrects. */
function asPrice(draft: Draft, before: Claim | undefined, claim: Claim): Claim {
  const { at, amount } = claim;
  if (before?.is !== "slot" || before.sets[0]?.slot.kind !== "money" || claim.is !== "nothing") return claim;
  if (amount.unit !== "none" || isCount(draft, at) || !isCorrection(draft.corrections, before.at, at))
    return claim;
  return foreignClaim(draft, at, { ...amount, unit: "money" });
}

/** "not 8 % but 5 %": a number that is denied, beside one that is meant. */
const isDenied = ({ pieces }: Draft, { at, amount }: Claim, claims: readonly Claim[]): boolean =>
  isRejected(pieces, at) && claims.some((other) => other.at !== at && other.amount.unit === amount.unit);

function corrects({ pieces, corrections }: Draft, before: Claim, claim: Claim): boolean {
  if (isCorrection(corrections, before.at, claim.at)) return true;
  const settles = (from: number, to: number): boolean =>
    pieces.slice(from, to).some((piece) => hasRole(piece, ROLES.settles));
  const isOpen = claim.is === "open" || before.is === "open";
  return isOpen && (settles(before.at + 1, claim.at) || settles(claim.at + 1, claim.at + 4));
}

/** The later of two claims, with what only the earlier one says; undefined where they are about different things. */
function mergedOf(draft: Draft, before: Claim, claim: Claim): Claim | undefined {
  if (before.is === "open" || before.is === "nothing") return claim;
  if (claim.is === "open") return takenOver(before, claim);
  // "at least a third, no, a margin of at least 35 %"
  if (before.is === "foreign") return claim.is === "slot" && isBareBound(draft, before) ? claim : undefined;
  // "at most 70 €, no wait, 65 €"
  if (claim.is === "foreign" && claim.amount.unit === "money" && before.sets[0]?.slot.kind === "money")
    return takenOver(before, claim);
  if (claim.is !== "slot") return undefined;
  const [was] = before.sets;
  const [now] = claim.sets;
  if (!was || !now || before.sets.length !== claim.sets.length) return undefined;
  if (was.slot === now.slot) return claim;
  // "If costs rise 8 %, no, fall 8 %": the noun is that of before.
  const isSameKind = claim.implied && was.slot.reads === "change" && now.slot.reads === "change";
  return isSameKind ? { ...claim, sets: [{ slot: was.slot, value: now.value }] } : undefined;
}

/** A bare amount behind a correction is for what the one before it was for. */
function takenOver({ former: _, ...before }: Claim, { at, amount, spent }: Claim): Claim | undefined {
  if (before.is === "foreign") return { ...before, at, amount, spent };
  if (before.is !== "slot" || before.sets.length !== 1) return undefined;
  const sets = before.sets.map(({ slot, value }) => ({
    slot,
    value: value < 0 ? -amount.value : amount.value,
  }));
  return { ...before, at, amount, spent, sets };
}

/** A bare share is another value of the one that was said last, with its sign; without one, it is asked what it is for. */
function askForShare(draft: Draft, at: number, value: number): void {
  // "the 8 % cap is gone, we use 5 %": what is said takes the place of what is taken back.
  const last =
    amountsInForce(draft).find(({ kind }) => kind === "percent") ??
    draft.slots.find(({ kind, name }) => kind === "percent" && draft.cleared.has(name));
  if (last) {
    const sign = last.reads === "change" && Number(draft.before[last.name]) < 0 ? -1 : 1;
    setSlot(draft, last, sign * Math.abs(value), at);
    return;
  }
  const most = limitOfChange(draft.slots);
  const change = changeOf(draft.slots);
  if (!most || !change || draft.asks.some(({ slot }) => slot === most.name)) return;
  const size = Math.abs(value);
  const [label, upper] = [labelOf(change, size), labelOf(most, size)];
  ask(draft, {
    slot: most.name,
    question: draft.korean
      ? `${upper}는 최대 변동폭입니까, 아니면 변경할 크기입니까?`
      : `What are the ${upper} for?`,
    options: [
      {
        label: draft.korean ? `${most.label.ko} ${upper}` : `${most.label.en} ${upper}`,
        sets: { [most.name]: size },
      },
      {
        label: draft.korean ? `${change.label.ko} ${label}` : `${change.label.en} ${label}`,
        sets: { [change.name]: size },
      },
      {
        label: draft.korean ? `${change.label.ko} -${upper}` : `${change.label.en} -${upper}`,
        sets: { [change.name]: -size },
      },
    ],
  });
}
