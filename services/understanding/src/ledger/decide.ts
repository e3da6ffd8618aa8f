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
  /** What each of the two local readers makes of it by itself. */
  readonly readers: readonly [Slots, Slots];
};

/** What stands, and what has to be asked: the readings of each slot that differ too much. */
export type Decision = {
  readonly slots: Slots;
  readonly asked: Readonly<Record<string, readonly (SlotValue | undefined)[]>>;
  /** What is asked is one thing of which the readers say different slots. */
  readonly isOne: boolean;
};

/**
 * Compares what claims say with what the local readers say, slot by slot. Where they agree it stands. A claim that the message proves stands
 * with either of the two, or where these two differ; alone against both it is asked about, and so is what only they hear. What the
 * message does not prove changes nothing.
 */
export function decide(
  { before, claimed, proof, open, local, readers }: Readings,
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
    const [first, second] = readers.map((one) => one[slot]);
    const isUnited = isSame(first, second);
    const isHeard = !isSame(pair, before[slot]);
    const byReader = isSame(first, model) || isSame(second, model);
    switch (proof[slot]) {
      case "proven":
        if (byReader || !isUnited || !isHeard) set(slot, model);
        else asked[slot] = [model, pair];
        break;
      case "plausible":
      case "unproven":
        if (byReader) set(slot, model);
        else asked[slot] = [model, pair];
        break;
      case "refused":
        // One reader less: what both local ones say is as sure as without claims.
        if (isUnited || !isHeard) set(slot, pair);
        else asked[slot] = [pair, before[slot]];
        break;
      default:
        // Claims that account for the mention say that it constrains nothing, and so does one of the readers.
        if (!isHeard || (!open.has(slot) && (isSame(first, model) || isSame(second, model))))
          set(slot, model);
        else if (isUnited && open.has(slot)) set(slot, pair);
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
