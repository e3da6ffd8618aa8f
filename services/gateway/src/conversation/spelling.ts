import {
  type EntityIndex,
  type KnownWords,
  knownWords,
  type SlotDeclaration,
  type Speller,
  spellerOf,
} from "../language/index.ts";
import type { Flow, Mesh } from "../mesh/index.ts";

/** Names of inputs that misspelt words are compared with. */
const MOST_SPELLED = 1_000;

/** The words of what a flow's slots and goals are about. */
export function ownWords(flow: Flow, mesh: Mesh, declared: readonly SlotDeclaration[]): string[] {
  return [
    ...declared.flatMap(({ nouns, cues, values }) => [...nouns, ...cues, ...Object.entries(values).flat(2)]),
    ...[...mesh.services.values()].flatMap(({ name, keywords }) => (flow.goals.has(name) ? keywords : [])),
  ];
}

/** @param words of the domain. @returns what mends messages about given inputs */
export function spellers(words: readonly string[]): (index: EntityIndex) => Speller {
  // Of all inputs alike, and many.
  let known: KnownWords | undefined;
  const made = new WeakMap<EntityIndex, Speller>();
  return (index) => {
    const own = made.get(index);
    if (own) return own;
    const named = index.entities.flatMap(({ ids, byWord }) =>
      ids.length <= MOST_SPELLED ? [...byWord.keys()] : [],
    );
    known ??= knownWords(words);
    const speller = spellerOf(known, knownWords(named));
    made.set(index, speller);
    return speller;
  };
}
