/** A limit for a part of what is asked for, or in one direction: "5 % on exchange", "increases of at most 3 %". */
export type Limit = {
  /** A share is a fraction. */
  readonly value: number;
  /** Absent: either way. */
  readonly way?: "up" | "down";
  /** Selecting slots, and what of each the limit is about; absent: all that is asked for. */
  readonly scope?: Readonly<Record<string, readonly string[]>>;
};

/** Limits of one slot that are not one number for all. */
export type Limits = { readonly limits: readonly Limit[] };

/** What a slot holds: an id or a name, a number, a flag, several ids, or limits. */
export type SlotValue = string | number | boolean | readonly string[] | Limits;

export const isLimits = (value: SlotValue | undefined): value is Limits =>
  typeof value === "object" && "limits" in value;

/** Ids of one selection, about. A conversation keeps some fifteen of them, and writes and reads all of them in every turn. */
export const MOST_SELECTED = 20_000;

/** Slots by name. */
export type Slots = Readonly<Record<string, SlotValue>>;

/** A question that a message leaves open, and its likely answers. */
export type SlotQuestion = {
  /** The slot that the answer fills. */
  slot: string;
  /** One short sentence, in the language of the message. */
  question: string;
  /** Two or three likely readings: what the button says, and what it sets. */
  options: readonly { label: string; sets: Slots }[];
};

/** What a message adds to a selection in force, and drops from it. */
export type SlotEdit = {
  adds: readonly string[];
  drops: readonly string[];
  /** A single value stands by itself, and not in a list. */
  plain?: true;
};

/** What a message says of the slots. Everything in it that constrains the answer is in one of the four lists. */
export type SlotReading = {
  /** Said and understood. */
  slots: Slots;
  /** Selections that go on from those in force, by slot: "add the valve", "swap NA for EMEA". With nothing in force, `slots` holds. */
  edits?: Readonly<Record<string, SlotEdit>>;
  /** Slots that the message takes back: "no limit any more", "for all items again". */
  cleared: readonly string[];
  /** Said and recognised, but nothing here can apply it: the phrases as they were said. */
  unsupported: readonly string[];
  /** What limits of a part or in one direction are made of, as it was said. */
  limited?: readonly string[];
  /** Said, and to be asked about before anything is answered. */
  asks: readonly SlotQuestion[];
  /** What is left of the message without all that was read. */
  rest: string;
};
