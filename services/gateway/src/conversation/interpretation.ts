import type { Intent, Slots } from "../language/index.ts";
import type { About, Doing, Proposal, Question, WorkingSet } from "./working-set.ts";

/** Who decided what a message asks for: rules, the local classifier, the user, by answering a question, or a model. */
export type Source = "rules" | "local" | "user" | "model";

/** What a message may ask for: goals of the flow; none stands for nothing that the flow does. */
export type Choice = {
  readonly goals: readonly string[];
  readonly signs: readonly string[];
  /** That it is meant; absent where no model tells. */
  readonly likelihood?: number;
};

/** What a message means in its conversation. */
export type Interpretation = {
  category: string;
  confidence: number;
  source: Source;
  /** Nothing tells well enough what the message asks for: a second opinion is wanted. */
  unsure?: true;
  goals: readonly string[];
  /** All constraints of the turn. */
  slots: Slots;
  /** The constraints in force after the turn. */
  inForce: Slots;
  about?: About;
  /** What the user was offered for a slot and has not chosen with this turn. */
  left?: Slots;
  /** The proposal that the turn speaks of. */
  proposal?: Proposal;
  /** Phrases of the message that constrain the answer and that nothing here can apply. */
  unsupported: readonly string[];
  /** Asked instead of doing anything. */
  question?: Question;
  /** The message about which the turn answers a question. */
  completes?: string;
  /** What tells whether the reading may be acted on; absent: nothing was read by two readers. */
  signs?: readonly string[];
  /** The message is too long for the reader of what constrains an answer: what it made of it is shown before anything is done. */
  isReadInPart?: true;
  /** All that it may ask for; absent: nothing was read by two readers. */
  choices?: readonly Choice[];
  /** What else it may mean: the constraints in their place, and the phrases that nothing applies then. */
  others?: () => readonly Pick<Interpretation, "slots" | "unsupported">[];
  /** What was done before, where this turn takes some of it back. */
  done?: readonly Doing[];
  /** What the turn goes on from, where the message first takes something of it back: "start from scratch: optimise the valve". */
  from?: WorkingSet;
  command?: "undone" | "nothing_to_undo" | "started_over";
};

/** What a message asks for. */
export type Wanted = Pick<Interpretation, "category" | "confidence" | "source" | "goals"> & {
  followUp: boolean;
  unsure?: true;
  question?: Question;
};

export function again({ category, goals }: Doing, source: Source, confidence: number): Wanted {
  return { category, goals, source, confidence, followUp: true };
}

export function taken({ category, confidence, goals }: Intent, source: Source): Wanted {
  return { category, confidence, goals, source, followUp: false };
}
