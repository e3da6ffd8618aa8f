/**
 * What a reader outside of this library, such as a language model, says that a message says of one slot. Nothing of it is believed: it is
 * verified against the message.
 */
export type Claim = {
  /** The words of the message that say it. */
  readonly quote: string;
  readonly slot: string;
  /** `only`: these and no others; `add`: these as well; `except`, `freeze`: all but these; `set`: any other value; `clear`: taken back. */
  readonly op: "set" | "only" | "add" | "except" | "freeze" | "clear";
  /** Ids, values of the catalogue or of a choice. */
  readonly names: readonly string[];
  /** The size of an amount; 5 % is 0.05. */
  readonly number: number | null;
  readonly direction: "most" | "least" | "up" | "down" | "none";
  /** The part of what is asked for that it is about; empty: all of it. */
  readonly scope: readonly {
    readonly quote: string;
    readonly slot: string;
    readonly names: readonly string[];
  }[];
  /** `told`: the quote says something of the slot, and constrains nothing. */
  readonly status: "applies" | "told";
};

/**
 * - `proven`: quote, value, slot and direction follow from the message alone
 * - `plausible`: nothing contradicts it, and another reader has to agree
 * - `unproven`: nothing of the message says it in known words, and nothing says otherwise: the user may be asked
 * - `refused`: the message does not have the quote or the number, the catalogue not the name, or it says something else
 */
export type Proof = "proven" | "plausible" | "unproven" | "refused";

const RANK: Readonly<Record<Proof, number>> = { refused: 0, unproven: 1, plausible: 2, proven: 3 };

export const weaker = (one: Proof, other: Proof): Proof => (RANK[one] <= RANK[other] ? one : other);
