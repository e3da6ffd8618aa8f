import type { Amount } from "./amounts.ts";
import type { SlotDeclaration } from "./declarations.ts";
import { ask, cannotApply, type Draft, labelOf, setSlot } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { means, type Piece, senseOf } from "./pieces.ts";
import { phraseOf, spanOf, type Words, wordsOf, type Zone, zonesAround } from "./zones.ts";

/** Gives each amount its slot, by the words around it: a noun, a comparison, a direction. */
export function readQuantities(draft: Draft): void {
  const { pieces } = draft;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece?.amount || piece.used || piece.entity) continue;
    if (piece.amount.unit === "time") piece.used = true;
    else if (piece.amount.unit === "share") readShare(draft, at, piece.amount);
    else readMoney(draft, at, piece.amount);
  }
}

function readShare(draft: Draft, at: number, amount: Amount): void {
  for (const zone of zonesAround(draft.pieces, at)) {
    const words = wordsOf(draft, zone, at);
    if (shareFits(draft, at, amount, words, zone)) return;
  }
  const [start, end] = spanOf(draft, at);
  const piece = draft.pieces[at];
  if (piece) piece.used = true;
  if (amount.low !== undefined || amount.value > 1) return void cannotApply(draft, start, end);
  askForShare(draft, at, amount.value);
}

/** @returns whether the zone says what the share is */
function shareFits(draft: Draft, at: number, amount: Amount, words: Words, zone: Zone): boolean {
  const shares = draft.slots.filter(({ kind }) => kind === "percent");
  const piece = draft.pieces[at];
  if (!piece) return true;
  const done = (slot?: SlotDeclaration, value = 0): true => {
    piece.used = true;
    for (const part of words.parts) if (isSpent(part)) part.used = true;
    if (slot) setSlot(draft, slot, round(value), at);
    else cannotApply(draft, ...phraseOf(draft, zone, at));
    return true;
  };
  const named = words.nouns.filter((slot) => slot.kind === "percent" && !slot.implicit);
  const implied = (reads: SlotDeclaration["reads"]) =>
    shares.find((slot) => slot.reads === reads && slot.implicit);
  const isForeign = words.foreign !== undefined && (words.bound !== undefined || words.nouns.length === 0);
  if (isForeign) return done();
  const [own] = named;
  const direction = amount.signed ? Math.sign(amount.value) : words.direction;
  const size = Math.abs(amount.value);
  if (own) {
    if (amount.low !== undefined) return done();
    if (own.reads === "least")
      return words.bound === "most" || (words.direction !== 0 && !words.bound)
        ? done()
        : done(own, amount.value);
    if (own.reads === "change")
      return direction === 0 || words.bound
        ? direction === 0 && !words.bound
          ? false
          : done()
        : done(own, direction * size);
    return words.bound === "least" ? done() : done(own, size);
  }
  const most = implied("most");
  if (amount.low !== undefined) return symmetric(amount) && most ? done(most, size) : false;
  if (words.bound === "most" && most) return done(most, size);
  if (words.bound === "least") return done();
  if (words.why && direction !== 0) {
    piece.used = true;
    return true;
  }
  const change = implied("change");
  return direction !== 0 && change ? done(change, direction * size) : false;
}

const symmetric = ({ value, low }: Amount): boolean => low !== undefined && Math.abs(low + value) < 1e-12;
const round = (value: number): number => Number(value.toPrecision(12));

/** A bare share is another value of the one that was said before, with its sign; without one, it is asked what it is for. */
function askForShare(draft: Draft, at: number, value: number): void {
  const before = draft.slots.flatMap((slot) => {
    const said = draft.before[slot.name];
    return slot.kind === "percent" && typeof said === "number" ? [{ slot, said }] : [];
  });
  const [only] = before.length === 1 ? before : before.filter(({ slot }) => slot.reads === "change");
  if (only) {
    const sign = only.slot.reads === "change" && only.said < 0 ? -1 : 1;
    setSlot(draft, only.slot, sign * Math.abs(value), at);
    return;
  }
  const most = draft.slots.find((slot) => slot.kind === "percent" && slot.reads === "most" && slot.implicit);
  const change = draft.slots.find(
    (slot) => slot.kind === "percent" && slot.reads === "change" && slot.implicit,
  );
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

function readMoney(draft: Draft, at: number, amount: Amount): void {
  const { pieces } = draft;
  const piece = pieces[at];
  if (!piece) return;
  const slots = draft.slots.filter(({ kind }) => kind === "money");
  for (const zone of zonesAround(pieces, at)) {
    const words = wordsOf(draft, zone, at);
    const named = words.nouns.find(
      (slot) => slot.kind === "money" && (slot.reads === words.bound || !words.bound),
    );
    const isPrice =
      words.nouns.some((slot) => slot.implicit && slot.reads === "change") || amount.unit === "money";
    const finish = (): void => {
      piece.used = true;
      for (const part of words.parts) if (isSpent(part)) part.used = true;
    };
    if (words.foreign) {
      if (!words.bound && amount.unit !== "money") return;
      finish();
      return void cannotApply(draft, ...phraseOf(draft, zone, at));
    }
    // A share without its sign, as in "keep the margin above 20".
    const share = words.nouns.find((slot) => slot.kind === "percent" && slot.reads === "least");
    if (share && amount.unit === "none" && amount.value > 1 && amount.value < 100 && words.bound !== "most") {
      finish();
      return void setSlot(draft, share, round(amount.value / 100), at);
    }
    if (amount.low !== undefined && (isPrice || named)) {
      finish();
      for (const slot of slots) setSlot(draft, slot, slot.reads === "least" ? amount.low : amount.value, at);
      return;
    }
    const bound = words.bound ?? named?.reads;
    const slot = named ?? (isPrice && words.bound ? slots.find(({ reads }) => reads === bound) : undefined);
    if (slot) {
      finish();
      return void setSlot(draft, slot, amount.value, at);
    }
    if (words.bound && amount.unit === "none") {
      const cap = draft.slots.find(
        (slot) => slot.reads === "most" && slot.kind === "percent" && words.nouns.includes(slot),
      );
      if (cap && words.bound === "most" && amount.value < 100) {
        finish();
        return void setSlot(draft, cap, round(amount.value / 100), at);
      }
    }
    if (amount.unit === "money" && (words.direction !== 0 || words.nouns.length > 0)) {
      finish();
      return void cannotApply(draft, ...phraseOf(draft, zone, at));
    }
  }
  if (amount.unit === "money") {
    piece.used = true;
    cannotApply(draft, ...spanOf(draft, at));
  }
}

/** Comparisons and directions say all that they have to say with the amount. */
const isSpent = (piece: Piece): boolean =>
  means(
    piece,
    MEANS.atMost |
      MEANS.atLeast |
      MEANS.above |
      MEANS.below |
      MEANS.cap |
      MEANS.not |
      MEANS.must |
      MEANS.keep |
      MEANS.clear |
      MEANS.up |
      MEANS.down,
  ) || senseOf(piece, "unsupported") !== undefined;
