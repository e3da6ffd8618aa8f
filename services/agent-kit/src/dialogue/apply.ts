import { type DialogueState, MAX_QUEUE, withoutTask } from "./state.ts";
import type { Locale, Operation, Slot, SlotValue, SlotValues, Verdict } from "./types.ts";

export type Slots = Readonly<Record<string, Slot<SlotValues>>>;

/** Why a slot was not filled. The user is told, and picks one of `choices` if there are any. */
export type Trouble = {
  readonly slot: string;
  readonly text: string;
  readonly choices?: readonly string[];
};

export type Applied = {
  readonly state: DialogueState;
  readonly troubles: readonly Trouble[];
  /** Whether any value has changed, or a task was added or removed. */
  readonly changed: boolean;
};

export type ApplyParts = { readonly slots: Slots; readonly locale: Locale; readonly now: Date };

/** Applies operations in their order. Pure: neither the stage nor a reply comes from here. Operations that name nothing known do nothing. */
export function apply(parts: ApplyParts, before: DialogueState, operations: readonly Operation[]): Applied {
  let state = before;
  const troubles: Trouble[] = [];
  for (const operation of operations) {
    const step = applyOne(parts, state, operation);
    state = step.state;
    troubles.push(...step.troubles);
  }
  return { state, troubles, changed: state !== before && !isSame(state, before) };
}

type Step = { readonly state: DialogueState; readonly troubles: readonly Trouble[] };

function applyOne(parts: ApplyParts, state: DialogueState, operation: Operation): Step {
  switch (operation.op) {
    case "set": {
      const { slots, troubles } = fill(parts, state.slots, operation.slot, operation.value);
      return { state: { ...state, slots }, troubles };
    }
    case "clear":
      return {
        state: "slot" in operation ? withoutSlot(state, operation.slot) : dropped(state, operation.queued),
        troubles: [],
      };
    case "add":
      return { state: added(parts, state, operation.values), troubles: [] };
    case "next":
      return { state: next(state), troubles: [] };
    case "doubt":
      return { state, troubles: [] };
  }
}

function fill(parts: ApplyParts, slots: SlotValues, name: string, raw: unknown) {
  const verdict = judge(parts, slots, name, raw);
  if (verdict === undefined) return { slots, troubles: [] };
  if ("value" in verdict)
    return { slots: { ...slots, ...verdict.also, [name]: verdict.value }, troubles: [] };
  const trouble: Trouble =
    "problem" in verdict
      ? { slot: name, text: verdict.problem }
      : { slot: name, text: verdict.question, choices: verdict.choices };
  return { slots: "also" in verdict ? { ...slots, ...verdict.also } : slots, troubles: [trouble] };
}

function judge(
  { slots: all, locale, now }: ApplyParts,
  slots: SlotValues,
  name: string,
  raw: unknown,
): Verdict<SlotValues> | undefined {
  const slot = Object.hasOwn(all, name) ? all[name] : undefined;
  return slot?.check(raw, { locale, now, slots });
}

function withoutSlot(state: DialogueState, name: string): DialogueState {
  if (!Object.hasOwn(state.slots, name)) return state;
  const { [name]: _, ...slots } = state.slots;
  return { ...state, slots };
}

function dropped(state: DialogueState, place: number): DialogueState {
  if (place < 0 || place >= state.queue.length) return state;
  return { ...state, queue: state.queue.toSpliced(place, 1), total: state.total - 1 };
}

/** A slot with a problem is left empty, and asked for when it is the task's turn. */
function added(
  parts: ApplyParts,
  state: DialogueState,
  values: Readonly<Record<string, unknown>>,
): DialogueState {
  if (state.queue.length >= MAX_QUEUE) return state;
  let slots: SlotValues = {};
  for (const [name, raw] of Object.entries(values)) slots = fill(parts, slots, name, raw).slots;
  return { ...state, queue: [...state.queue, slots], total: state.total + 1 };
}

function next(state: DialogueState): DialogueState {
  const [slots, ...queue] = state.queue;
  if (slots === undefined) return state;
  return { ...withoutTask(state), slots, queue, index: state.index + 1, fill_turns: 0 };
}

function isSame(a: DialogueState, b: DialogueState): boolean {
  return (
    a.index === b.index &&
    a.queue.length === b.queue.length &&
    a.queue.every((slots, place) => slots === b.queue[place]) &&
    sameSlots(a.slots, b.slots)
  );
}

function sameSlots(a: SlotValues, b: SlotValues): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

/** The required slots that are empty, in their order. */
export function missingOf(slots: Slots, filled: Readonly<Record<string, SlotValue | undefined>>): string[] {
  return Object.keys(slots).filter((name) => slots[name]?.optional !== true && filled[name] === undefined);
}
