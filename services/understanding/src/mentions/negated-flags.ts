import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { MEANS } from "../text/generic-words.ts";
import { means, type Piece } from "../text/pieces.ts";

/** Pieces between a denial and what it denies: "nobody is really using". */
const REACH = 3;

/** A cue that denies: "unused", "not tagged". */
const DENYING = /^(?:un|not |non-?)([a-z]{3,})$/;

/** The flag whose cue says in one word what a message says in several: "nobody uses" of "unused", "is not attached" of "unattached". */
export function negatedFlag(
  pieces: readonly Piece[],
  at: number,
  slots: readonly SlotDeclaration[],
): SlotDeclaration | undefined {
  const word = pieces[at]?.token.norm ?? "";
  if (!/^[a-z]{3,}$/.test(word)) return undefined;
  const slot = slots.find(({ kind, cues }) => kind === "flag" && cues.some((cue) => isOfOneVerb(word, cue)));
  if (!slot) return undefined;
  for (let i = at - 1; i >= 0 && at - i <= REACH; i--)
    if (means(pieces[i], MEANS.not)) return slot;
    else if (means(pieces[i], MEANS.hard)) return undefined;
  return undefined;
}

function isOfOneVerb(word: string, cue: string): boolean {
  const base = DENYING.exec(cue)?.[1];
  return base !== undefined && verbOf(word) === verbOf(base);
}

/** What the forms of a verb share: use, uses, used, using. */
const verbOf = (word: string): string => word.replace(/(?:ed|es|ing|e|s|d)$/, "");
