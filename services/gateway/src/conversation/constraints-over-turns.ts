import type { SlotReading, Slots } from "../language/index.ts";
import type { Talk } from "./talk.ts";
import { merged, type WorkingSet } from "./working-set.ts";

/** What a message said that was answered with the question what it asks for: whatever that is, the constraints hold. */
export function withPending(base: Slots, { question }: WorkingSet): Slots {
  return question?.key === "intent" ? merged(base, question.pending.slots, question.pending.cleared) : base;
}

/** "Add the valve" and "swap NA for EMEA" change the selection that is in force; where none is, the reading holds. */
export function edited(reading: SlotReading, inForce: Slots): SlotReading {
  const slots = { ...reading.slots };
  for (const [name, { adds, drops, plain }] of Object.entries(reading.edits ?? {})) {
    const before = inForce[name];
    const some = typeof before === "string" ? [before] : Array.isArray(before) ? before : [];
    const kept = some.filter((value) => !drops.includes(value));
    if (some.length === 0 || (drops.length > 0 && kept.length === some.length)) continue;
    const left = [...new Set([...kept, ...adds])];
    const [only] = left;
    if (only !== undefined) slots[name] = plain && left.length === 1 ? only : left;
  }
  return { ...reading, slots };
}

/** The constraints that a follow-up changes. One what-if takes the place of another. */
export function followed(before: Slots, reading: SlotReading, talk: Talk): Slots {
  if (!Object.keys(reading.slots).some((name) => talk.moves.has(name))) return before;
  return Object.fromEntries(Object.entries(before).filter(([name]) => !talk.moves.has(name)));
}
