import type { DetectInjection } from "../language/index.ts";
import type { InPieces, Mesh } from "../mesh/index.ts";
import { isClearOrder } from "./gate/clear-order.ts";
import { readQuestion } from "./results/read-question.ts";
import type { ServiceModel } from "./service-model.ts";
import type { Talk } from "./talk.ts";

/** Messages after which the code that hears them is compiled, and then the patterns that another flow has of its own. */
const ROUNDS = 60;
const OWN_ROUNDS = 5;

/** Hears some messages in vain: the first messages would hold the event loop several times as long as the later ones. */
export function* warmUp(
  { talks, services }: { talks: readonly Talk[]; services: ServiceModel | undefined },
  mesh: Mesh,
  detect: DetectInjection,
): InPieces<void> {
  const words = [...mesh.services.values()].flatMap(({ keywords, label }) => [
    ...keywords,
    label?.en ?? "",
    label?.ko ?? "",
  ]);
  const textOf = (round: number): string =>
    `${words[round % words.length]} ${words[(7 * round) % words.length]} ${round} % for ITEM-${round}`;
  for (let round = 0; services && round < ROUNDS; round++) {
    yield;
    services.classify(textOf(round));
  }
  for (const [index, talk] of talks.entries()) {
    for (let round = 0; round < (index === 0 ? ROUNDS : OWN_ROUNDS); round++) {
      yield;
      const text = textOf(round);
      detect(text);
      talk.classify(text);
      // The first of each compiles what it executes: none of them in one turn of the event loop with another.
      yield;
      talk.readSlots(text, undefined, {});
      yield;
      for (const goal of talk.effects) isClearOrder(text, talk.orders(goal));
      yield;
      ask(talk, round);
    }
  }
}

/** Reads a question of the results, in either language. */
function ask({ flow, results, narrowing, readNames }: Talk, round: number): void {
  if (!results) return;
  const nouns = flow.measures.flatMap((measure) => measure.nouns);
  const noun = nouns[round % nouns.length];
  const message = round % 2 === 0 ? `Which ${noun} of today is the lowest?` : `${noun} 이하인 것은 몇 개야?`;
  readQuestion(message, results, { readNames: (text) => readNames(text, undefined), narrowing });
}
