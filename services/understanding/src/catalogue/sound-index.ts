import { hangulSound, isHangul, latinSounds, type Sound, soundsLike } from "../text/sound.ts";

/** Finds the names that a word in Hangul sounds like. */
export type SoundIndex = { find(word: string): string[] };

/** Of more, none is found by its sound: making them out would take too long. */
const MOST_NAMES = 5_000;
const SHORTEST = 2;
const LATIN = /^[a-z]{3,}$/;

/**
 * @param names in lower case; those of one word in Latin letters are found
 * @param nouns what may stand behind a name, in one with it: 팀 of 리서치팀
 */
export function soundIndex(names: () => Iterable<string>, nouns: readonly string[]): SoundIndex {
  let known: ReadonlyMap<string, readonly Named[]> | undefined;
  return {
    find(word) {
      if (word.length < SHORTEST || !isHangul(word)) return [];
      known ??= byConsonants(names());
      const all = known;
      const bare = word.replace(PARTICLE, "");
      const noun = nouns.find((one) => bare.endsWith(one)) ?? "";
      const forms = [word, bare, bare.slice(0, bare.length - noun.length)];
      const ways = forms.filter((form) => form.length >= SHORTEST).map((form) => alike(form, all));
      return ways.find((found) => found.length > 0) ?? [];
    },
  };
}

/** What stands behind a name in one word with it, and is not cut off, as the name is none that is known. */
const PARTICLE = /(?:이랑|에서|에는|까지|부터|으로|과|와|랑|은|는|을|를|이|가|만|도|에|로|의)(?:요)?$/;

function alike(word: string, known: ReadonlyMap<string, readonly Named[]>): string[] {
  const sound = hangulSound(word);
  const found = (known.get(sound.consonants) ?? []).filter((one) => soundsLike(sound, one.sound));
  return [...new Set(found.map(({ name }) => name))];
}

type Named = { readonly name: string; readonly sound: Sound };

function byConsonants(names: Iterable<string>): ReadonlyMap<string, readonly Named[]> {
  const latin = [...names].filter((name) => LATIN.test(name));
  if (latin.length > MOST_NAMES) return new Map();
  const known = new Map<string, Named[]>();
  for (const name of latin) {
    for (const sound of latinSounds(name)) {
      if (sound.consonants.length < SHORTEST) continue;
      const others = known.get(sound.consonants) ?? [];
      known.set(sound.consonants, [...others, { name, sound }]);
    }
  }
  return known;
}
