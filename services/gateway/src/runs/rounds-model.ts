import type { TraceContext } from "@interlock/contracts";
import type { Orders, RoundsStep } from "../mesh/index.ts";
import type { JournaledRound, RunOrder, TurnEntry } from "../store/index.ts";

/** A tool as a model may choose it. */
export type ChoosableTool = { name: string; description: string; parameters: object };

/** What a model said, and what came of the calls that it wanted. */
export type Round = { said: JournaledRound; results: readonly { id: string; name: string; text: string }[] };

export type RoundsQuestion = {
  step: RoundsStep;
  order: RunOrder;
  run: { id: string; sessionId: string; keys: { tenant: string }; trace: TraceContext };
  history: readonly TurnEntry[];
  tools: readonly ChoosableTool[];
  rounds: readonly Round[];
  signal: AbortSignal;
};

/** The model of tool-calling agents, and what its words are held to. */
export type RoundsModel = {
  /** Whether there is one. */
  asks(question: Pick<RoundsQuestion, "step" | "order" | "run">): boolean;
  /** What it says next. Results are told as data. @throws ModelError */
  next(question: RoundsQuestion): Promise<JournaledRound>;
  /** The part of a text whose numbers stand in what it was made of, and how many sentences were left out. */
  held(text: string, given: readonly string[]): Promise<{ text: string; leftOut: number }>;
  /** Whether a message orders something itself, in the user's own words. */
  isOrder(message: string, orders: Orders): boolean;
};
