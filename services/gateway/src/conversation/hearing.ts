import type { Pair, SlotReading, Slots } from "../language/index.ts";
import type { Talk } from "./talk.ts";
import type { Told } from "./told.ts";

/** A question that was asked in vain: the likeliest reading is taken where it is at least this likely. */
export const GUESS = 0.4;
/** Behind a correction, a goal of the message is meant from this likelihood on: "no, only prices" is too short to be sure of. */
export const LEAST_SAID = 0.3;

/** What is heard in one conversation: the talk of its flow, over the entities of its inputs. */
export type Hearing = {
  talk: Talk;
  /** A message with one blank where it has several, and with the words that it misspells. */
  spelled: (message: string) => string;
  readSlots: (message: string, before: Slots) => SlotReading;
  /** What each of the two readers makes of it. */
  pairOf: (message: string, before: Slots) => Pair;
  /** What claims about a message come to, verified against it. */
  verified: (message: string, said: Told, before: Slots) => ReturnType<Talk["verified"]>;
  /** All values that a slot of names can have. */
  allOf: (slot: string) => readonly string[];
  /** Services whose keywords the message has; the rules that break ties. */
  byRules: (message: string) => readonly string[];
  /** Below this confidence the user is asked. */
  threshold: number;
  /** Whether the caller may have what a category stands for. */
  offers: (category: string) => boolean;
};

/** Whether a message says anything of the slots. */
export function saysSomething({ slots, cleared, asks }: SlotReading): boolean {
  return Object.keys(slots).length > 0 || cleared.length > 0 || asks.length > 0;
}
