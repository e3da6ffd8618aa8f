import type { Mesh } from "../mesh/index.ts";
import { hearingOf } from "./converse.ts";
import { interpret } from "./interpret.ts";
import { respond } from "./respond.ts";
import { keywordRouter } from "./router.ts";
import type { PlainInputs } from "./session-inputs.ts";
import { talkOf } from "./talk.ts";
import { languageOf } from "./wording.ts";
import { emptyWorkingSet } from "./working-set.ts";

/** What was made of one turn. */
export type HeardTurn = {
  /** The category, or `clarify` where the user is asked. */
  route: string;
  goals?: readonly string[];
  /** All constraints in force. */
  slots: Readonly<Record<string, unknown>>;
  about?: string | readonly string[];
  /** The question, and the answers that it offers. */
  clarifies?: string;
  options?: readonly string[];
  unsupported?: readonly string[];
};

/**
 * A conversation without agents, store or network, for evaluations: it hears and decides like the gateway, and nothing is done about
 * it. Every proposal is taken to have succeeded.
 */
export function offlineConversation({
  mesh,
  flow: name,
  inputs,
  intentThreshold,
}: {
  mesh: Mesh;
  flow: string;
  inputs?: PlainInputs | undefined;
  intentThreshold: number;
}): { say: (message: string) => HeardTurn } {
  const flow = mesh.flows.get(name);
  const talk = flow && talkOf(flow, mesh);
  if (!talk) throw new Error(`the flow ${name} has no intents`);
  const hearing = hearingOf(talk, inputs, {
    route: keywordRouter(mesh),
    intentThreshold,
    offers: () => true,
  });
  let working = emptyWorkingSet(name);
  let turns = 0;
  return {
    say(message) {
      const found = interpret(message, working, hearing);
      turns += 1;
      const response = respond(found, {
        working,
        talk,
        mesh,
        language: languageOf(message),
        runId: `turn-${turns}`,
      });
      working = response.next;
      const { question, goals, about, unsupported } = found;
      return {
        route: question ? "clarify" : found.category,
        ...(goals.length > 0 ? { goals } : {}),
        slots: question ? working.slots : found.slots,
        ...(about === undefined ? {} : { about }),
        ...(question
          ? { clarifies: question.text, options: question.options.map(({ label }) => label) }
          : {}),
        ...(unsupported.length > 0 ? { unsupported } : {}),
      };
    },
  };
}
