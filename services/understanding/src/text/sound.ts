/**
 * How a word sounds, as far as Hangul and Latin letters can be compared: consonants in the classes that Hangul tells apart, and vowels.
 * Koreans write foreign names as they hear them: 오리온 is Orion.
 */
export type Sound = { readonly consonants: string; readonly full: string };

/** Of each initial, vowel and final of a syllable, in the order of Unicode; `-` is no sound. */
const INITIALS = "k k n t t r m p p s s - c c c k t p h".split(" ");
/** ㅡ only parts consonants. */
const VOWELS = "a e a e o e o e o a e e o u o e i u - i i".split(" ");
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

const soundOf = (full: string): Sound => ({ full, consonants: full.replace(/[aeiou]+/g, "") });

/** What a vowel more or less, and another vowel, are worth; how much two words may differ, for each sound, and where they are short. */
const [MISSING, OTHER, TOLERANCE, SHORT] = [0.3, 0.5, 0.2, 0.3];
const SHORT_CONSONANTS = 2;

/** Whether two words with the same consonants sound alike. */
export function soundsLike(one: Sound, other: Sound): boolean {
  if (one.consonants !== other.consonants) return false;
  const [some, others] = [one, other].map(({ full }) => full.split(/[^aeiou]/));
  let cost = 0;
  for (const [at, vowels] of (some ?? []).entries()) {
    const theirs = others?.[at] ?? "";
    const more = Math.abs(vowels.length - theirs.length);
    const [short, long] = vowels.length < theirs.length ? [vowels, theirs] : [theirs, vowels];
    const same = [...short].filter((vowel) => long.includes(vowel)).length;
    cost += more * MISSING + (short.length - same) * OTHER;
  }
  const most =
    one.consonants.length > SHORT_CONSONANTS
      ? TOLERANCE * Math.max(one.full.length, other.full.length)
      : SHORT;
  return cost <= most;
}
