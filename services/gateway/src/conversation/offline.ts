import type { Constraint } from "../constraint.ts";
import type { IntentModel, LearntReader } from "../language/index.ts";
import { constraintsFor, constraintsOf, type Flow, type Mesh } from "../mesh/index.ts";
import type { AskModel } from "./ask-model.ts";
import { hearingOf } from "./converse.ts";
import { askReading, withoutReading } from "./gate/confirm.ts";
import { interpret } from "./interpret.ts";
import type { Choice, Interpretation, Source } from "./interpretation.ts";
import { respond } from "./respond.ts";
import { keywordRouter } from "./router.ts";
import type { PlainInputs } from "./session-inputs.ts";
import { COMPOSITE, talkOf } from "./talk.ts";
import { languageOf } from "./wording.ts";
import { emptyWorkingSet, type Question } from "./working-set.ts";

/** What was made of one turn. */
export type HeardTurn = {
  /** The category, or `clarify` where the user is asked. */
  route: string;
  /** Who decided that. */
  source: Source;
  confidence: number;
  goals?: readonly string[];
  /** All constraints in force. */
  slots: Readonly<Record<string, unknown>>;
  about?: string | readonly string[];
  /** The question, and the answers that it offers. */
  clarifies?: string;
  options?: readonly string[];
  unsupported?: readonly string[];
  /** What the reading looks like to the model that tells whether it may be acted on, and what agents would get. */
  signs?: readonly string[];
  constraints?: readonly Constraint[];
  /** All that the message may ask for. */
  choices?: readonly Choice[];
};

const appliedOf = ({ slots, goals }: Interpretation, flow: Flow): Constraint[] =>
  constraintsFor(flow, constraintsOf(flow, slots), [flow.name, ...goals]);

/** Nobody in particular: an evaluation may ask for everything. */
const EVALUATOR = { tenant: "", issuer: "", subject: "evaluation", roles: [] };

export type OfflineConversation = {
  say: (message: string) => HeardTurn;
  /** The same with the model that reads first, where there is one. */
  sayWithModel: (message: string) => Promise<HeardTurn>;
  /** What the latest turn changed is taken back, as where the user says that it was not meant. */
  refuse: () => void;
  /** The latest turn has asked for these goals, whatever it was taken to ask for. */
  meant: (goals: readonly string[]) => void;
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
  askModel,
  intents,
  reader,
}: {
  mesh: Mesh;
  flow: string;
  inputs?: PlainInputs | undefined;
  intentThreshold: number;
  askModel?: AskModel | undefined;
  intents?: IntentModel | undefined;
  reader?: LearntReader | undefined;
}): OfflineConversation {
  const flow = mesh.flows.get(name);
  const talk = flow && talkOf(flow, mesh, intents, reader);
  if (!talk) throw new Error(`the flow ${name} has no intents`);
  const hearing = hearingOf(talk, inputs, {
    route: keywordRouter(mesh),
    intentThreshold,
    offers: () => true,
  });
  let working = emptyWorkingSet(name);
  let before = working;
  let refused: Question | undefined;
  let turns = 0;
  const goOn = (found: Interpretation, message: string): HeardTurn => {
    turns += 1;
    const runId = `turn-${turns}`;
    const response = respond(found, { working, talk, mesh, language: languageOf(message), runId });
    before = working;
    refused = found.question
      ? undefined
      : askReading(found, { message, text: "", working }, languageOf(message));
    working = response.next;
    const { question, source, confidence, goals, about, unsupported, signs } = found;
    return {
      route: question ? "clarify" : found.category,
      source,
      confidence,
      ...(goals.length > 0 ? { goals } : {}),
      slots: question ? working.slots : found.slots,
      ...(about === undefined ? {} : { about }),
      ...(question ? { clarifies: question.text, options: question.options.map(({ label }) => label) } : {}),
      ...(unsupported.length > 0 ? { unsupported } : {}),
      ...(signs ? { signs, constraints: appliedOf(found, flow) } : {}),
      ...(found.choices ? { choices: found.choices } : {}),
    };
  };
  return {
    meant(goals) {
      const [only] = goals;
      const { question: _, ...left } = working;
      const lasting = working.done.slice(before.done.length);
      const doing = {
        category: goals.length === 1 && only !== undefined ? only : COMPOSITE,
        goals,
        slots: working.slots,
      };
      working = {
        ...left,
        done: [...before.done, ...(goals.length > 0 ? [{ ...(lasting.at(-1) ?? {}), ...doing }] : [])],
      };
    },
    refuse() {
      working = refused ? withoutReading({ ...before, question: refused }) : before;
    },
    say: (message) => goOn(interpret(message, working, hearing), message),
    async sayWithModel(message) {
      const flows = [{ talk, goals: [...flow.goals.keys()] }];
      const asked = {
        caller: EVALUATOR,
        sessionId: "evaluation",
        runId: "evaluation",
        trace: {},
        services: [],
      };
      const answer = await askModel?.({ ...asked, message, working, inputs, flows });
      return goOn(interpret(message, working, hearing, answer?.told), message);
    },
  };
}
