import type { SlotReading, Slots } from "../language/index.ts";
import type { Talk } from "./talk.ts";

/** What is heard in one conversation: the talk of its flow, over the entities of its inputs. */
export type Hearing = {
  talk: Talk;
  readSlots: (message: string, before: Slots) => SlotReading;
  /** All values that a slot of names can have. */
  allOf: (slot: string) => readonly string[];
  /** Services whose keywords the message has; the rules that break ties. */
  byRules: (message: string) => readonly string[];
  /** Below this confidence the user is asked. */
  threshold: number;
  /** Whether the caller may have what a category stands for. */
  offers: (category: string) => boolean;
};
