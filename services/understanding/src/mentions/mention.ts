import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { Amount } from "../text/amounts.ts";

/** Elements of a list in the inputs that a phrase may name. */
export type EntityReading = {
  slot: SlotDeclaration;
  /** Positions in the inputs; none where the phrase looks like an id and is none. */
  positions: readonly number[];
  /** One is meant, and it may be several. */
  ambiguous: boolean;
  /** It is one edit from what it names. */
  near: boolean;
};

/** A value of an enum or a choice, as the inputs spell it. A flag has `true`, or `false` for what it leaves out. */
export type ValueReading = {
  slot: SlotDeclaration;
  value: string;
  /** The inputs have no such value, so that it selects nothing. */
  absent: boolean;
  near: boolean;
};

/** What a phrase of a message may name. It says nothing of whether that is meant, or what for. */
export type Mention = {
  amount?: Amount;
  entity?: EntityReading;
  values: readonly ValueReading[];
  /** Phrases that set a slot to a number: "below cost". */
  phrases: readonly { slot: SlotDeclaration; value: number }[];
};

/** What a unit is for the model: the kind of mention, or of word. */
export const TYPES = {
  word: 0,
  mark: 1,
  noun: 2,
  cue: 3,
  unsupported: 4,
  share: 5,
  money: 6,
  number: 7,
  time: 8,
  factor: 9,
  phrase: 10,
  entity: 11,
  value: 12,
  choice: 13,
  flag: 14,
} as const;

export type UnitType = (typeof TYPES)[keyof typeof TYPES];

/** A word, a mark or a mention of a message: what the tagger gives a role to. */
export type Unit = {
  start: number;
  end: number;
  type: UnitType;
  /** In lower case. */
  word: string;
  /** Generic meanings: bits of `MEANS`. */
  means: number;
  /** Slots of which it is a noun, and those of which it is a cue. */
  nouns: readonly SlotDeclaration[];
  cues: readonly SlotDeclaration[];
  /** The domain says that nothing supports it. */
  unsupported: boolean;
  capitals: boolean;
  /** A frequent word, whatever else it is. */
  common: boolean;
  mention?: Mention;
};
