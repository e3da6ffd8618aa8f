/**
 * How a word sounds, as far as Hangul and Latin letters can be compared: consonants in the classes that Hangul tells apart, and vowels.
 * Koreans write foreign names as they hear them: 오리온 is Orion.
 */
export type Sound = { readonly consonants: string; readonly full: string };

/** Of each initial, vowel and final of a syllable, in the order of Unicode; `-` is no sound. */
const INITIALS = "k k n t t r m p p s s - c c c k t p h".split(" ");
/** ㅡ, here w, parts consonants, or stands as ㅓ and ㅕ, here y, do for any vowel that is hardly heard. */
const VOWELS = "a e a e y e y e o a e e o u o e i u w i i".split(" ");
/** A final ㅅ sounds like a t, ㅇ like ng. */
const FINALS = "- k k k n n n t r k m p r r p r m p p t t n t t k t p -".split(" ");
const FIRST = 0xac00;
const FINAL_COUNT = 28;
const VOWEL_COUNT = 21;

export const isHangul = (word: string): boolean => /^[\uac00-\ud7a3]+$/.test(word);

/** The sound of a word in Hangul. */
export function hangulSound(word: string): Sound {
  let full = "";
  for (const syllable of word) {
    const code = syllable.charCodeAt(0) - FIRST;
    const initial = INITIALS[Math.floor(code / (VOWEL_COUNT * FINAL_COUNT))] ?? "";
    const vowel = VOWELS[Math.floor(code / FINAL_COUNT) % VOWEL_COUNT] ?? "";
    const final = FINALS[code % FINAL_COUNT] ?? "";
    // ㄹㄹ is one l: 컨트롤러.
    full += (full.endsWith("r") && initial === "r" ? "" : initial) + vowel + final;
    full = full.replaceAll("-", "");
  }
  return soundOf(full);
}

/** Spellings and the class that they sound like, in order; R is an r that may be mute, C the sound of ch and j. */
const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/[^a-z]/g, ""],
  [/(.)\1/g, "$1"],
  [/mb(?=[dt]|$)/g, "m"],
  [/r/g, "R"],
  [/tion/g, "son"],
  [/ng(?![aeiou])/g, "n"],
  [/ph|[fvb]/g, "p"],
  [/sh|th/g, "s"],
  [/t?ch|dg|[jz]/g, "C"],
  [/ck|q/g, "k"],
  [/x/g, "ks"],
  [/d/g, "t"],
  [/l/g, "r"],
  [/w/g, ""],
  [/y/g, "i"],
  [/e$/g, ""],
];
/** An r that no vowel follows is mute, or is heard: 하버, 프랑크푸르트. */
const MUTE = /(?<=[aeiou])R(?![aeiou])/g;

/** The sounds that a word in Latin letters may have: its g and c may be soft or hard. */
export function latinSounds(word: string): readonly Sound[] {
  const hard = LETTERS.reduce(
    (text, [from, to]) => text.replace(from, to),
    word.normalize("NFKD").toLowerCase(),
  );
  const soft = hard.replace(/g(?=[ei])/g, "C").replace(/c(?=[ei])/g, "s");
  const ways = [hard, soft].flatMap((one) => [one.replace(MUTE, ""), one]);
  const heard = ways.map((one) => one.replace(/[cg]/g, "k").replace(/R/g, "r").replace(/C/g, "c"));
  return [...new Set(heard)].map(soundOf);
}

const VOWEL_RUN = /[aeiouyw]+/g;
const CONSONANT = /[^aeiouyw]/;

const soundOf = (full: string): Sound => ({ full, consonants: full.replace(VOWEL_RUN, "") });

/**
 * What it is worth that a vowel is another one, missing, one that is hardly heard, or that Hangul has none where Latin letters have; how much
 * two words may differ, for each sound, and where they are short.
 */
const [OTHER, MISSING, FAINT, UNHEARD, TOLERANCE, SHORT] = [0.5, 0.3, 0.1, 1, 0.16, 0.4];
const SHORT_CONSONANTS = 2;

/** Whether a word in Hangul sounds like one in Latin letters. */
export function soundsLike(hangul: Sound, latin: Sound): boolean {
  if (hangul.consonants !== latin.consonants) return false;
  // 치 is how a final "ch" is written.
  const [heard = [], written = []] = [hangul.full.replace(/ci$/, "cw"), latin.full].map((full) =>
    full.split(CONSONANT),
  );
  const cost = heard.reduce((sum, vowels, at) => sum + costOf(vowels, written[at] ?? ""), 0);
  const isShort = latin.consonants.length <= SHORT_CONSONANTS;
  return cost <= (isShort ? SHORT : TOLERANCE * Math.max(hangul.full.length, latin.full.length));
}

function costOf(heard: string, written: string): number {
  const vowels = written === "" ? heard.replaceAll("w", "") : heard;
  if (vowels === written) return 0;
  if (vowels === "") return UNHEARD;
  const [short, long] = vowels.length < written.length ? [vowels, written] : [written, vowels];
  const cost = (vowel: string): number =>
    long.includes(vowel) ? 0 : /[yw]/.test(long) || /[yw]/.test(vowel) ? FAINT : OTHER;
  return (long.length - short.length) * MISSING + [...short].reduce((sum, vowel) => sum + cost(vowel), 0);
}
