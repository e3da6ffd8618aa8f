/** A text for each language that the gateway answers in. */
export type Localised = { en: string; ko: string };

/**
 * How the values of a slot are read:
 * - `entity`: ids and names of the elements of a list in the inputs
 * - `enum`: values that occur in the inputs, and declared synonyms
 * - `choice`: one of the declared values
 * - `percent`: a share, written as a percentage, in basis points or as a fraction
 * - `money`, `number`: an amount, a number of units
 * - `count`: how many of the best
 * - `flag`: said or not
 * - `date`: a period that names what is asked for, and constrains nothing
 */
export type SlotKind =
  | "entity"
  | "enum"
  | "choice"
  | "percent"
  | "money"
  | "number"
  | "count"
  | "flag"
  | "date";

/** A slot as the manifest declares it. Words are in lower case; a plural in -s need not be declared. */
export type SlotDeclaration = {
  name: string;
  kind: SlotKind;
  /** Where the inputs have the values, e.g. `items`, `items.region`; a path goes through arrays. */
  from: readonly string[];
  /** The values are the names of the members at the path. */
  keys: boolean;
  /** Entities: the member with the id, and those with names. */
  id: string;
  names: readonly string[];
  /** Words for what the slot is about: `margin`, `region`, `item`. */
  nouns: readonly string[];
  /** Phrases that lead to a value of a choice, count or flag: `maximise`, `top`, `violating`. */
  cues: readonly string[];
  /** Values and their synonyms. A flag may have `false`: the words for what it leaves out. */
  values: Readonly<Record<string, readonly string[]>>;
  /** Values and synonyms that are ordinary words too: they need a noun, a preposition or another value beside them. */
  ordinary: readonly string[];
  /** Whole phrases that set the slot to a number: `below cost`. */
  phrases: Readonly<Record<string, number>>;
  /** The amount is the most or the least that is allowed, or a change up or down. */
  reads?: "most" | "least" | "change";
  /** The slot of amounts whose noun is not said. */
  implicit: boolean;
  /** Answers that a question offers. */
  suggest: readonly number[];
  label: Localised;
  /** What the echo says, with `{value}`. */
  echo?: Localised;
  /** The member of the inputs that takes the value as it is. */
  input?: string;
  /** The goals and services that can apply the slot; empty: all. */
  appliesTo: readonly string[];
  /** Slots of earlier messages that do not hold where this one is said. */
  setsAside?: readonly string[];
  /** The slot selects from the results, so that no inputs show it. */
  fromResults: boolean;
};

/** The words of a domain that are about none of its slots. */
export type DomainWords = {
  /** What people constrain and nothing here supports: `volume`, `competitor`. */
  unsupported: readonly string[];
  /** What is kept without being asked for (`hierarchy`), and what a message is about instead of a constraint (`explain`). */
  neutral: readonly string[];
  /** Phrases that contain a value and do not mean it: `new prices`. */
  decoys: readonly string[];
};

/** All that a flow declares of its slots. */
export type SlotDeclarations = { slots: readonly SlotDeclaration[]; words: DomainWords };
