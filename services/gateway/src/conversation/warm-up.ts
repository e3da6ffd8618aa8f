import type { DetectInjection } from "../language/index.ts";
import type { InPieces, Mesh } from "../mesh/index.ts";
import { isClearOrder } from "./gate/clear-order.ts";
import { readQuestion } from "./results/read-question.ts";
import type { ServiceModel } from "./service-model.ts";
import type { Talk } from "./talk.ts";

/** Messages after which the code that hears them is compiled. */
const ROUNDS = 150;

/** Orders are few patterns, which their first uses compile. */
const ORDERS = 30;

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
  const warmed = new Set<Talk["flow"]["slots"]>();
  for (const talk of talks) {
    const { slots } = talk.flow;
    const isWarm = slots !== undefined && warmed.has(slots);
    warmed.add(slots);
    for (let round = 0; round < ROUNDS; round++) {
      yield;
      const text = textOf(round);
      talk.classify(text);
      if (round < ORDERS) {
        yield;
        for (const goal of talk.effects) isClearOrder(text, talk.orders(goal));
      }
      // Flows of one domain read with the same code, which is compiled by now.
      if (isWarm) continue;
      detect(text);
      // The first of each compiles what it executes: none of them in one turn of the event loop with another.
      yield;
      talk.readSlots(text, undefined, {});
      yield;
      talk.readAgain(text, undefined, {});
      yield;
      ask(talk, round);
    }
  }
}

/** Reads a question of the results, in either language. */
function ask({ flow, results, narrowing, readSlots }: Talk, round: number): void {
  if (!results) return;
  const nouns = flow.measures.flatMap((measure) => measure.nouns);
  const noun = nouns[round % nouns.length];
  const message = round % 2 === 0 ? `Which ${noun} of today is the lowest?` : `${noun} 이하인 것은 몇 개야?`;
  readQuestion(message, results, { readSlots: (text) => readSlots(text, undefined, {}), narrowing });
}
