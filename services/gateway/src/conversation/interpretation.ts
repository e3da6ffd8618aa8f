import type { Slots } from "../language/index.ts";
import type { About, Proposal, Question } from "./working-set.ts";

/** Who decided what a message asks for: rules, the local classifier, or the user, by answering a question. */
export type Source = "rules" | "local" | "user";

/** What a message means in its conversation. */
export type Interpretation = {
  category: string;
  confidence: number;
  source: Source;
  goals: readonly string[];
  /** All constraints of the turn. */
  slots: Slots;
  /** The constraints in force after the turn. */
  inForce: Slots;
  about?: About;
  /** The proposal that the turn speaks of. */
  proposal?: Proposal;
  /** Phrases of the message that constrain the answer and that nothing here can apply. */
  unsupported: readonly string[];
  /** Asked instead of doing anything. */
  question?: Question;
  command?: "undone" | "nothing_to_undo" | "started_over";
};
