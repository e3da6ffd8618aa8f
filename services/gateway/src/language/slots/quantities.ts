import { ROLES } from "./amount-words.ts";
import { type Claim, noClaim, openClaim } from "./claims.ts";
import { amountsInForce } from "./continuing.ts";
import { isCorrection } from "./corrections.ts";
import { ask, cannotApply, type Draft, labelOf, setSlot } from "./draft.ts";
import { isCount, moneyClaim } from "./money.ts";
import { hasRole, isWord } from "./pieces.ts";
import { asShare, changeOf, limitOfChange, shareClaim } from "./shares.ts";

/** Gives each amount its slot, by the words around it. */
export function readQuantities(draft: Draft): void {
  const claims: Claim[] = [];
  for (const [at, piece] of draft.pieces.entries()) {
    if (piece.amount && !piece.used && !piece.entity) claims.push(claimOf(draft, at, piece.amount));
  }
  for (const claim of corrected(draft, claims)) apply(draft, claim);
}

function claimOf(draft: Draft, at: number, amount: Claim["amount"]): Claim {
  if (amount.unit === "time") return noClaim(at, amount);
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
    const claim = asPercent(draft, share, read);
    if (claim.amount.unit === "share") share = claim;
    if (claim.is === "nothing" || isDenied(draft, claim, claims)) {
      kept.push({ ...noClaim(claim.at, claim.amount), spent: claim.spent });
      continue;
    }
    const before = kept[earlier];
    const merged = before && corrects(draft, before, claim) ? mergedOf(before, claim) : undefined;
    if (before && merged) kept[earlier] = { ...noClaim(before.at, before.amount), spent: before.spent };
    earlier = kept.push(merged ?? claim) - 1;
  }
  return kept;
}

/** "at most 10 %, sorry, 8": a plain number behind a share that it corrects, and does not repeat, is one too. */
function asPercent({ corrections }: Draft, share: Claim | undefined, claim: Claim): Claim {
  const { at, amount } = claim;
  if (!share || claim.is !== "nothing" || amount.unit !== "none" || amount.value >= 100) return claim;
  const isOther = Math.abs(share.amount.value * 100 - amount.value) > 1e-9;
  if (!isOther || !isCorrection(corrections, share.at, at)) return claim;
  return openClaim(at, { ...amount, unit: "share", value: amount.value / 100 });
}

/** "not 8 % but 5 %": a number that is denied, beside one that is meant. */
const isDenied = ({ pieces }: Draft, { at, amount }: Claim, claims: readonly Claim[]): boolean =>
  isWord(pieces[at - 1], "not") &&
  claims.some((other) => other.at !== at && other.amount.unit === amount.unit);

function corrects({ pieces, corrections }: Draft, before: Claim, claim: Claim): boolean {
  if (isCorrection(corrections, before.at, claim.at)) return true;
  const settles = (from: number, to: number): boolean =>
    pieces.slice(from, to).some((piece) => hasRole(piece, ROLES.settles));
  const isOpen = claim.is === "open" || before.is === "open";
  return isOpen && (settles(before.at + 1, claim.at) || settles(claim.at + 1, claim.at + 4));
}

/** The later of two claims, with what only the earlier one says; undefined where they are about different things. */
function mergedOf(before: Claim, claim: Claim): Claim | undefined {
  if (before.is === "open" || before.is === "nothing") return claim;
  if (claim.is === "open") return takenOver(before, claim);
  if (before.is === "foreign" || claim.is !== "slot") return undefined;
  const [was] = before.sets;
  const [now] = claim.sets;
  if (!was || !now || before.sets.length !== claim.sets.length) return undefined;
  if (was.slot === now.slot) return claim;
  // "If costs rise 8 %, no, fall 8 %": the noun is that of before.
  const isSameKind = claim.implied && was.slot.reads === "change" && now.slot.reads === "change";
  return isSameKind ? { ...claim, sets: [{ slot: was.slot, value: now.value }] } : undefined;
}

/** A bare amount behind a correction is for what the one before it was for. */
function takenOver(before: Claim, { at, amount, spent }: Claim): Claim | undefined {
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
  const last = amountsInForce(draft).find(({ kind }) => kind === "percent");
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
