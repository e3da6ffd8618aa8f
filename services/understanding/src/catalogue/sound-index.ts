import { hangulSound, isHangul, latinSounds, type Sound, soundsLike } from "../text/sound.ts";

/** Finds the names that a word in Hangul sounds like. */
export type SoundIndex = { find(word: string): string[] };

/** Of more, none is found by its sound: making them out would take too long. */
const MOST_NAMES = 5_000;
const SHORTEST = 2;
const LATIN = /^[a-z]{3,}$/;

/** @param names in lower case; those of one word in Latin letters are found */
export function soundIndex(names: () => Iterable<string>): SoundIndex {
  let known: ReadonlyMap<string, readonly Named[]> | undefined;
  return {
    find(word) {
      if (word.length < SHORTEST || !isHangul(word)) return [];
      const sound = hangulSound(word);
      known ??= byConsonants(names());
      const alike = (known.get(sound.consonants) ?? []).filter((one) => soundsLike(sound, one.sound));
      return [...new Set(alike.map(({ name }) => name))];
    },
  };
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
