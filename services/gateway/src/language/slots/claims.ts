import {
  type Amount,
  hasRole,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import type { Draft } from "./draft.ts";
import { phraseOf, spanOf, type Words, type Zone } from "./zones.ts";

/** How things were, or what somebody said then. */
export type Former = "was" | "said";

/** What an amount of a message is found to be for. Nothing is set before all amounts are read, since one may take back another. */
export type Claim = {
  /** The piece with the amount. */
  at: number;
  amount: Amount;
  /** The pieces that say what it is for, and nothing else. */
  spent: readonly Piece[];
  /** It was said of the past: what is said later takes its place. What only was so holds no longer. */
  former?: Former;
} & (
  | {
      is: "slot";
      sets: readonly { slot: SlotDeclaration; value: number }[];
      /** No noun names the slot. */
      implied: boolean;
    }
  /** It constrains something that no slot has. */
  | { is: "foreign"; phrase: readonly [start: number, end: number] }
  /** It constrains nothing: a date, a count, a change that is past. */
  | { is: "nothing" }
  /** Nothing says what it is for. */
  | { is: "open" }
);

const NONE: readonly Piece[] = [];

export const openClaim = (at: number, amount: Amount): Claim => ({ is: "open", at, amount, spent: NONE });

export const noClaim = (at: number, amount: Amount, words?: Words): Claim => ({
  is: "nothing",
  at,
  amount,
  spent: words ? words.parts.filter(isSpent) : NONE,
});

export const slotClaim = (
  at: number,
  amount: Amount,
  words: Words,
  sets: readonly { slot: SlotDeclaration; value: number }[],
  implied = false,
): Claim => ({ is: "slot", at, amount, sets, implied, spent: words.parts.filter(isSpent) });

/** @param zone the words of the amount; absent: those nearest to it */
export const foreignClaim = (
  draft: Draft,
  at: number,
  amount: Amount,
  { words, zone }: { words?: Words; zone?: Zone } = {},
): Claim => ({
  is: "foreign",
  at,
  amount,
  phrase: zone ? phraseOf(draft, zone, at) : spanOf(draft, at),
  spent: words ? words.parts.filter(isSpent) : NONE,
});

const SPENT =
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
  MEANS.down |
  MEANS.by;

/** Comparisons, directions and moves say all that they have to say with the amount. */
const isSpent = (piece: Piece): boolean =>
  means(piece, SPENT) ||
  piece.token.norm === "minus" ||
  hasRole(piece, ROLES.moves | ROLES.adds | ROLES.allows) ||
  senseOf(piece, "unsupported") !== undefined;
