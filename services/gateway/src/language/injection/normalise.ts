import { LATIN_LIKE } from "./confusables.ts";

/** Characters that nobody sees: soft hyphens, zero-width ones, bidi controls, fillers, variation selectors. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant alone
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|\ufe0f|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
const BIDI_OVERRIDE = /[\u202d\u202e]/;
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
/** Squared, circled and flag letters have no compatibility form. */
const BOXED = /[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const BOXED_STARTS = [0x1f1e6, 0x1f170, 0x1f150, 0x1f130];
const BEYOND_ASCII = /[^\n\r\t -~]/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

export type Normal = {
  /** All of it is ASCII, so it is what it looks like. */
  plain: boolean;
  /** As it would look to a reader, in the letters that it imitates; case as it was. */
  text: string;
  /** A text in Unicode tags, which no reader sees. */
  tagged: string;
  /** Invisible characters stood between others. */
  hidden: boolean;
  /** With a space in the place of each invisible character; empty where none stood in it. */
  parted: string;
  /** The direction of writing was forced. */
  overridden: boolean;
  /** Letters of another script stood for Latin ones. */
  imitated: boolean;
};

/** Undoes what makes a text look like something else than it is. ASCII is what it looks like. */
export function normalise(given: string): Normal {
  if (!BEYOND_ASCII.test(given))
    return {
      plain: true,
      text: given,
      tagged: "",
      hidden: false,
      parted: "",
      overridden: false,
      imitated: false,
    };
  const tagged = (given.match(TAGS) ?? [])
    .map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join("");
  const bare = given.replace(INVISIBLE, "");
  const hidden = bare.length !== given.length;
  const visible = unmarked(unboxed(bare).normalize("NFKC"));
  const text = latinised(visible);
  return {
    plain: false,
    text,
    tagged,
    hidden,
    parted: hidden ? latinised(unmarked(unboxed(given.replace(INVISIBLE, " ")).normalize("NFKC"))) : "",
    overridden: BIDI_OVERRIDE.test(given),
    imitated: text !== visible || looksDressed(bare, visible),
  };
}

/** Lower case without accents: how words are compared. */
export function fold(text: string): string {
  return BEYOND_ASCII.test(text) ? unmarked(text.normalize("NFKC").toLowerCase()) : text.toLowerCase();
}

/** Drops accents and piled-up marks, but keeps what is part of a letter in other scripts. */
function unmarked(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").normalize("NFC");
}

function unboxed(text: string): string {
  return text.replace(BOXED, (box) => {
    const code = box.codePointAt(0) ?? 0;
    const start = BOXED_STARTS.find((first) => code >= first) ?? code;
    return String.fromCharCode(97 + code - start);
  });
}

/** Latin letters that were written in a fancy alphabet (fullwidth, mathematical, circled). */
function looksDressed(before: string, after: string): boolean {
  return (
    /[a-zA-Z]/.test(after) &&
    /[\uff21-\uff5a\u2460-\u24ff]|[\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]/u.test(before)
  );
}

/** Words that mix Latin letters with lookalikes become Latin; words all of lookalikes do where the text around is Latin. */
function latinised(text: string): string {
  if (!LOOKALIKE.test(text)) return text;
  const latin = (text.match(LATIN) ?? []).length;
  const others = (text.match(OTHER_SCRIPT) ?? []).length;
  return text.replace(WORD, (word) => {
    if (!LOOKALIKE.test(word)) return word;
    const imitates =
      /[a-z]/i.test(word) || (latin >= others && isAllAlike(word)) || IMITATION_ONLY.test(word);
    return imitates ? [...word].map((letter) => LATIN_LIKE.get(letter) ?? letter).join("") : word;
  });
}

function isAllAlike(word: string): boolean {
  for (const letter of word) if (!LATIN_LIKE.has(letter) && !/\d/.test(letter)) return false;
  return true;
}

const LATIN = /[a-z]/gi;
const OTHER_SCRIPT = /[\u0370-\u03ff\u0400-\u052f]/g;
const LOOKALIKE = new RegExp(`[${[...LATIN_LIKE.keys()].join("")}]`, "u");
/** Small capitals and turned letters: no language is written in them. */
const IMITATION_ONLY = /[\u0250-\u02af\u1d00-\u1d2b\ua730-\ua731\ua7af]/;
