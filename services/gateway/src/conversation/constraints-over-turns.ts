import type { SlotReading, Slots } from "../language/index.ts";
import { saysSomething } from "./hearing.ts";
import type { Talk } from "./talk.ts";
import { type Doing, merged, type WorkingSet } from "./working-set.ts";

/** What a message said that was answered with the question what it asks for: whatever that is, the constraints hold. */
export function withPending(base: Slots, { question }: WorkingSet): Slots {
  return question?.key === "intent" ? merged(base, question.pending.slots, question.pending.cleared) : base;
}

/**
 * "Add the valve" and "swap NA for EMEA" change the selection that is in force; where none is, the reading holds. Where the last one that was
 * left out is in again, nothing is selected any more.
 * @param allOf all values of a slot
 */
export function edited(
  reading: SlotReading,
  inForce: Slots,
  allOf: (slot: string) => readonly string[],
): SlotReading {
  const slots = { ...reading.slots };
  const cleared = [...reading.cleared];
  for (const [name, { adds, drops, plain }] of Object.entries(reading.edits ?? {})) {
    const before = inForce[name];
    const some = typeof before === "string" ? [before] : Array.isArray(before) ? before : [];
    const dropped = new Set(drops);
    const kept = some.filter((value) => !dropped.has(value));
    if (some.length === 0 || (drops.length > 0 && kept.length === some.length)) continue;
    const left = [...new Set([...kept, ...adds])];
    const [only] = left;
    if (only === undefined) continue;
    if (adds.length > 0 && isAll(left, allOf(name))) {
      delete slots[name];
      cleared.push(name);
    } else slots[name] = plain && left.length === 1 ? only : left;
  }
  return { ...reading, slots, cleared };
}

/** @param some without doubles, all of them among the others */
const isAll = (some: readonly string[], all: readonly string[]): boolean =>
  all.length > 1 && some.length === all.length;

/** "And which rules would that break?": what would be is what the last what-if supposes. */
const WOULD = "(?:would|could|might)(?! (?:you|we|i)\\b)";
const THAT = "(?:it|that|this|they)";
const SUPPOSES = new RegExp(
  `\\b${WOULD}\\b.*\\b${THAT}\\b|\\b${THAT} ${WOULD}\\b|\\b(?:it|that|they)'d\\b`,
  "i",
);

/** The constraints that an ask of its own goes on with. */
export function supposed(
  inForce: Slots,
  { message, last }: { message: string; last: Doing | undefined },
  talk: Talk,
): Slots {
  if (!last || !SUPPOSES.test(message)) return inForce;
  const moves = Object.entries(last.slots).filter(([name]) => talk.moves.has(name));
  return { ...inForce, ...Object.fromEntries(moves) };
}

/** The constraints that a follow-up changes. One what-if takes the place of another. */
export function followed(before: Slots, reading: SlotReading, talk: Talk): Slots {
  if (!Object.keys(reading.slots).some((name) => talk.moves.has(name))) return before;
  return Object.fromEntries(Object.entries(before).filter(([name]) => !talk.moves.has(name)));
}

const ONLY = "(?:only|just|solely)";
const THOSE = "(?:those|these|them|the ones)";
const ONLY_THOSE = new RegExp(
  `\\b${ONLY} (?:[a-z]+ )?${THOSE}\\b|\\b${THOSE} (?:ones |items )?(?:only|alone)\\b|(?:그|이|저|해당|그런) ?(?:것|거|품목|제품|상품|항목)들?만`,
  "i",
);
const SAYS_ONLY = new RegExp(`\\b${ONLY}\\b`, "i");

/** "Only reprice those" asks for something with what it points at: it is no constraint that nothing can apply. */
export function withPointing(reading: SlotReading, message: string): SlotReading {
  if (reading.unsupported.length === 0 || !ONLY_THOSE.test(message)) return reading;
  const asked = reading.unsupported.filter((phrase) => SAYS_ONLY.test(phrase));
  const unsupported = reading.unsupported.filter((phrase) => !asked.includes(phrase));
  return { ...reading, unsupported, rest: [reading.rest, ...asked].join(" ") };
}

const ALL = "(?:all|everything|the (?:whole|full|complete|entire|rest))";
const SHOWS_ALL = new RegExp(`\\b(?:show|list|see|give)(?: me| us)? ${ALL}\\b|^${ALL}\\b`, "i");
const SAYS_ALL = new RegExp(`\\b${ALL}\\b`, "i");
const NOT_SOME = /\bnot (?:only|just)\b/i;
const SOME = /^(?:only|just)\b/i;

/** "Show all of them again, not only 3": how many results were shown holds no longer. */
export function withAllShown(
  reading: SlotReading,
  { message, last }: { message: string; last: Doing | undefined },
  { views, findings }: Talk,
): SlotReading {
  const counts = [...views].filter((name) => !findings.has(name) && last?.slots[name] !== undefined);
  const isOther = reading.cleared.length > 0 || counts.some((name) => name in reading.slots);
  if (counts.length === 0 || isOther) return reading;
  if (!SHOWS_ALL.test(message) && !(NOT_SOME.test(message) && SAYS_ALL.test(message))) return reading;
  const unsupported = reading.unsupported.filter((phrase) => !SOME.test(phrase));
  return { ...reading, unsupported, cleared: counts };
}

const REPLACED =
  /\b(?:instead of|rather than|in place of)\s+(?:(?:the|that|those)\s+)?(\S*\p{N}\S*(?:\s?%)?)/iu;

/** "A floor of 70 instead of 60": the amount of before is replaced, and no constraint that nothing can apply. */
export function withoutReplaced(reading: SlotReading, message: string): SlotReading {
  if (reading.unsupported.length === 0 || !saysSomething(reading)) return reading;
  const [, replaced] = REPLACED.exec(message) ?? [];
  if (replaced === undefined) return reading;
  return { ...reading, unsupported: reading.unsupported.filter((phrase) => !replaced.startsWith(phrase)) };
}

/**
 * "Only reprice these" behind a check of what nobody has named: those that the check finds. "All items" are those that it does not find, too.
 */
export function withFindings(
  reading: SlotReading,
  { message, goals, last }: { message: string; goals: readonly string[]; last: Doing | undefined },
  talk: Talk,
): SlotReading {
  if (talk.entities.some((name) => reading.cleared.includes(name)))
    return {
      ...reading,
      cleared: [...reading.cleared, ...talk.findings].filter((name) => !(name in reading.slots)),
    };
  if (!last?.goals.some((goal) => talk.checks.has(goal)) || !ONLY_THOSE.test(message)) return reading;
  const isNamed = talk.entities.some((name) => name in last.slots || name in reading.slots);
  if (isNamed || !goals.every((goal) => talk.inProposal.has(goal))) return reading;
  return {
    ...reading,
    slots: { ...Object.fromEntries([...talk.findings].map((name) => [name, true])), ...reading.slots },
  };
}

/** The slots of before that do not hold beside what a message says: a limit to price changes is none of "what if prices fell by 6 %". */
export function setAside(said: Slots, slots: Slots, { setsAside }: Pick<Talk, "setsAside">): string[] {
  const aside = new Set(Object.keys(said).flatMap((name) => setsAside.get(name) ?? []));
  return [...aside].filter((name) => slots[name] !== undefined && said[name] === undefined);
}
