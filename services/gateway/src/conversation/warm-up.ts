import type { DetectInjection } from "../language/index.ts";
import type { InPieces, Mesh } from "../mesh/index.ts";
import type { Talk } from "./talk.ts";

/** Messages after which the code that hears them is compiled. */
const ROUNDS = 150;

/** Hears some messages in vain: the first messages would hold the event loop several times as long as the later ones. */
export function* warmUp(talks: readonly Talk[], mesh: Mesh, detect: DetectInjection): InPieces<void> {
  const words = [...mesh.services.values()].flatMap(({ keywords, label }) => [
    ...keywords,
    label?.en ?? "",
    label?.ko ?? "",
  ]);
  for (const talk of talks) {
    for (let round = 0; round < ROUNDS; round++) {
      yield;
      const text = `${words[round % words.length]} ${words[(7 * round) % words.length]} ${round} % for ITEM-${round}`;
      detect(text);
      talk.classify(text);
      talk.readSlots(text, undefined, {});
    }
  }
}
