import type { Slots } from "../language/index.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Talk } from "./talk.ts";
import { wording } from "./wording.ts";
import type { WorkingSet } from "./working-set.ts";

const BY_RULES = { confidence: 1, source: "rules", unsupported: [] } as const;

/**
 * "Undo that": does again what was done last, with the constraints from before the last turn that changed any. Where no turn did, it goes
 * back to what was done before.
 */
export function undone({ done, proposals }: WorkingSet, talk: Talk): Interpretation {
  const last = done.at(-1);
  const nothing = { ...BY_RULES, category: talk.general, goals: [], slots: {}, inForce: {} };
  if (!last) return { ...nothing, command: "nothing_to_undo" };
  const changed = done.findLastIndex(({ slots }, at) => at > 0 && !areSame(slots, done[at - 1]?.slots));
  const before = done[(changed > 0 ? changed : done.length - 1) - 1];
  if (!before) return { ...nothing, command: "undone" };
  // Another kind of ask took over: what went before it has what-ifs that mean nothing to this one.
  const isOther = changed > 0 && !isSame(last.goals, before.goals);
  const asked = isOther ? { ...last, about: undefined } : before;
  const hasEffects = (goals: readonly string[]): boolean => goals.some((goal) => talk.effects.has(goal));
  // Nobody has effects once more by taking something back: what was done before them is done again.
  const instead = hasEffects(asked.goals) ? done.findLast(({ goals }) => !hasEffects(goals)) : asked;
  if (!instead) return { ...nothing, command: "undone" };
  const { category, goals, about } = instead;
  const slots = isOther ? lasting(before.slots, talk) : before.slots;
  const proposal = isOther ? undefined : proposals.find(({ run }) => run === before.proposal);
  return {
    ...BY_RULES,
    category,
    goals,
    slots,
    inForce: lasting(slots, talk),
    command: "undone",
    done: done.slice(0, done.indexOf(before)),
    ...(about === undefined ? {} : { about }),
    ...(proposal === undefined ? {} : { proposal }),
  };
}

/** "Drop all those restrictions": does again what was done last, without any constraint. */
export function lifted({ done }: WorkingSet, talk: Talk): Interpretation {
  const { category, goals } = done.at(-1) ?? { category: talk.general, goals: [] };
  return { ...BY_RULES, category, goals, slots: {}, inForce: {} };
}

/** A constraint that a page takes back, in its own words: does again what was done last, without it. */
export function takenBack(said: string, working: WorkingSet, talk: Talk): Interpretation | undefined {
  const slot = talk.flow.slots?.slots.find(
    ({ name, label }) =>
      working.slots[name] !== undefined &&
      (["en", "ko"] as const).some((language) => wording(language).takeBack(label[language]) === said.trim()),
  );
  if (!slot) return undefined;
  const without = (slots: Slots): Slots =>
    Object.fromEntries(Object.entries(slots).filter(([name]) => name !== slot.name));
  const last = working.done.at(-1);
  const { category, goals } = last ?? { category: talk.general, goals: [] };
  return {
    ...BY_RULES,
    category,
    goals,
    slots: without(last?.slots ?? {}),
    inForce: without(working.slots),
  };
}

/** Does again what was done last. */
export function repeated({ done, proposals, slots }: WorkingSet, talk: Talk): Interpretation {
  const last = done.at(-1);
  if (!last) return { ...BY_RULES, category: talk.general, goals: [], slots, inForce: slots };
  const proposal = proposals.find(({ run }) => run === last.proposal);
  const { category, goals } = last;
  return {
    ...BY_RULES,
    category,
    goals,
    slots: last.slots,
    inForce: slots,
    about: "last answer",
    ...(proposal === undefined ? {} : { proposal }),
  };
}

/** The constraints that outlast a turn. */
export function lasting(slots: Slots, talk: Talk): Slots {
  return Object.fromEntries(Object.entries(slots).filter(([name]) => !talk.passing.has(name)));
}

const isSame = (some: readonly string[], others: readonly string[]): boolean => some.join() === others.join();

function areSame(some: Slots, others: Slots = {}): boolean {
  const names = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...names].every((name) => JSON.stringify(some[name]) === JSON.stringify(others[name]));
}
