import type { Slots, SlotValue } from "../catalogue/reading.ts";
import type { Proof } from "./claim.ts";
import { isSame } from "./compare.ts";

/** What is in force behind a message, as each reader has it. */
export type Readings = {
  /** Behind the turn before. */
  readonly before: Slots;
  /** By the verified claims, with what is in force. */
  readonly claimed: Slots;
  /** By slot that a claim is about. */
  readonly proof: Readonly<Record<string, Proof>>;
  /** Slots of which the claims leave a mention open. */
  readonly open: ReadonlySet<string>;
  /** As it would stand without claims. */
  readonly local: Slots;
  /** What the local reader makes of it by itself, and the slots of which it is not sure. */
  readonly read: Slots;
  readonly doubted: ReadonlySet<string>;
};

/** What stands, and what has to be asked: the readings of each slot that differ too much. */
export type Decision = {
  readonly slots: Slots;
  readonly asked: Readonly<Record<string, readonly (SlotValue | undefined)[]>>;
  /** What is asked is one thing of which the readers say different slots. */
  readonly isOne: boolean;
};

/**
 * Compares what claims say with what the local reader says, slot by slot. Where they agree it stands. A claim that the message proves stands
 * where the reader is not sure; against a sure one it is asked about, and so is what the reader alone hears. What the message does not
 * prove changes nothing.
 */
export function decide(
  { before, claimed, proof, open, local, read, doubted }: Readings,
  declared: readonly string[],
): Decision {
  const slots: Record<string, SlotValue> = {};
  const asked: Record<string, (SlotValue | undefined)[]> = {};
  const set = (slot: string, value: SlotValue | undefined): void => {
    if (value !== undefined) slots[slot] = value;
  };
  for (const slot of declared) {
    const [model, pair] = [claimed[slot], local[slot]];
    if (isSame(model, pair)) {
      set(slot, pair);
      continue;
    }
    const isDoubted = doubted.has(slot);
    const isHeard = !isSame(pair, before[slot]);
    const byReader = isSame(read[slot], model);
    switch (proof[slot]) {
      case "proven":
        if (byReader || isDoubted || !isHeard) set(slot, model);
        else asked[slot] = [model, pair];
        break;
      case "plausible":
      case "unproven":
        if (byReader) set(slot, model);
        else asked[slot] = [model, pair];
        break;
      case "refused":
        // One reader less: what a sure one says stands without claims.
        if (!isDoubted || !isHeard) set(slot, pair);
        else asked[slot] = [pair, before[slot]];
        break;
      default:
        // Claims that account for the mention say that it constrains nothing, and so does the reader.
        if (!isHeard || (!open.has(slot) && byReader)) set(slot, model);
        else if (!isDoubted && open.has(slot)) set(slot, pair);
        else asked[slot] = [model, pair];
    }
  }
  // What one reader takes for a limit of one slot is the other's of another slot: one of the two is meant.
  let isOne = false;
  for (const slot of Object.keys(asked)) {
    const other = declared.find(
      (name) => proof[name] !== undefined && proof[slot] === undefined && isSame(claimed[name], local[slot]),
    );
    if (other === undefined || isSame(claimed[other], local[other])) continue;
    isOne = true;
    asked[other] = [claimed[other], local[other]];
    delete slots[other];
  }
  return { slots, asked, isOne };
}
