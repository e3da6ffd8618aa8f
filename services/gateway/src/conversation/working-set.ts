import type { Slots } from "../language/index.ts";

/** What a turn did: "now for EMEA" does it again with another constraint, "undo that" does the one before again. */
export type Doing = {
  category: string;
  goals: readonly string[];
  /** All constraints of the turn, also those that last no longer. */
  slots: Slots;
  about?: About;
  /** What the user was offered and did not choose. */
  left?: Slots;
  /** The run whose proposal it spoke of. */
  proposal?: string;
};

/** A run that was asked for a proposal. Whether it made one, its journal says. */
export type Proposal = {
  run: string;
  /** The run's own names of the flow's proposal steps. */
  steps: Readonly<Record<string, string>>;
  slots: Slots;
  /** What was said and could not be applied when it was made. */
  unapplied?: readonly string[];
  /** The run whose request brought the inputs; absent: the flow's own. */
  inputsOf?: string;
};

/** What a turn speaks of: named items, or something that the conversation has made. */
export type About = "first proposal" | "last proposal" | "last answer" | readonly string[];

/** What was asked of the user, and what each likely answer means. */
export type Question = {
  /** What it is about; the same is not asked twice in a row. */
  key: string;
  text: string;
  options: readonly Option[];
  /** What was understood of the message that the answer completes. */
  pending: {
    category?: string;
    goals: readonly string[];
    slots: Slots;
    cleared: readonly string[];
    /** What was said and nothing applies. */
    unsupported?: readonly string[];
    /** The message itself, for the service or flow that the user chooses. */
    message?: string;
  };
  /** What concerned the turn that asked it: a message that was read right is read once more as it was then. */
  asOf?: Pick<WorkingSet, "question" | "asked" | "undid">;
};

/** All that an order would do. Equal ones have equal hashes. */
export type Does = {
  flow: string;
  goals: readonly string[];
  slots: Slots;
  /** The hash of the inputs; absent: the flow's own. */
  inputs?: string;
  /** The proposal that it is about, with the hash of its content where there was one when it was offered; absent: it makes one. */
  proposal?: { run: string; content?: string };
  /** It is about the first proposal, and not about the latest. */
  first?: true;
};

/** Something with an effect that the user was asked about, and the button that orders it. */
export type Offer = { code: string; hash: string; does: Does; question: Question };

/** A likely answer: a category of the flow, values of slots, or the service or flow that the message is for. */
export type Option = {
  label: string;
  category?: string;
  /** The goals that a category of several stands for here. */
  goals?: readonly string[];
  sets?: Slots;
  service?: string;
  flow?: string;
  /** What is meant in place of all that was understood of the message. */
  instead?: { category: string; goals: readonly string[]; slots: Slots; unsupported: readonly string[] };
};

/** What a conversation works with. The session keeps it from turn to turn. */
export type WorkingSet = {
  /** Empty where the mesh has no flow that can be asked in words. */
  flow: string;
  /** The dialogue or remote service that the last turn was for. */
  dialogue?: string;
  /** The run whose request brought the inputs in use; absent: the flow's own. */
  inputsOf?: string;
  /** The constraints in force. */
  slots: Slots;
  /** Latest last. */
  done: readonly Doing[];
  /** The first, and the latest ones, latest last. */
  proposals: readonly Proposal[];
  /** Goal → the latest run that pursued it. */
  results: Readonly<Record<string, string>>;
  question?: Question;
  /** Effects that the user was asked about, latest last. */
  offers?: readonly Offer[];
  /** What was asked in the turn before, answered or not. */
  asked?: string;
  /** The question of the results that the turn before answered: "and the pump?" asks it of something else. */
  looked?: string;
  /** The turn before was "undo that": "once more" takes another one back. */
  undid?: true;
  /** What the conversation works with when it comes back to other flows, by their names. */
  others?: Readonly<Record<string, WorkingSet>>;
};

/** Turns that can be undone, one after the other. */
const UNDOABLE = 10;
/** Proposals that are remembered besides the first. */
const LATEST_PROPOSALS = 4;

export function emptyWorkingSet(flow: string): WorkingSet {
  return { flow, slots: {}, done: [], proposals: [], results: {} };
}

/** Without what concerns the next turn alone. */
export function withoutQuestion({
  question: _,
  asked: __,
  undid: ___,
  looked: ____,
  ...working
}: WorkingSet): WorkingSet {
  return working;
}

/** @returns of what concerns the next turn alone, what the reading of its message depends on */
export function asOf({ question, asked, undid }: WorkingSet): NonNullable<Question["asOf"]> {
  const { asOf: _, ...put } = question ?? {};
  return {
    ...(question ? { question: put as Question } : {}),
    ...(asked === undefined ? {} : { asked }),
    ...(undid === undefined ? {} : { undid }),
  };
}

export function withoutDialogue(working: WorkingSet): WorkingSet {
  if (working.dialogue === undefined) return working;
  const { dialogue: _, ...rest } = working;
  return rest;
}

/** What a conversation works with when it goes over to another flow. A question of before is open no longer. */
export function withFlow(working: WorkingSet, flow: string): WorkingSet {
  if (working.flow === flow) return working;
  const { others = {}, ...left } = withoutQuestion(working);
  const { [flow]: own = emptyWorkingSet(flow), ...rest } = others;
  return { ...own, others: { ...rest, [left.flow]: left } };
}

/**
 * What is said replaces what was in force before, slot by slot. It stands behind the rest, so that the last slot is the one that was said
 * last: "make that 7" speaks of it.
 */
export function merged(base: Slots, said: Slots, cleared: readonly string[]): Slots {
  const kept = Object.entries(base).filter(([name]) => !cleared.includes(name) && !(name in said));
  return { ...Object.fromEntries(kept), ...said };
}

/** @param text what the session keeps, written by us alone; undefined where it keeps nothing yet */
export function readWorkingSet(text: string | undefined): WorkingSet | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as WorkingSet);
}

/** Notes what a turn does. @param proposal where its run is asked for one */
export function withDoing(working: WorkingSet, doing: Doing, run: string, proposal?: Proposal): WorkingSet {
  const { question: _, ...rest } = working;
  const results = { ...working.results };
  for (const goal of doing.goals) results[goal] = run;
  return {
    ...rest,
    done: [...working.done, doing].slice(-UNDOABLE),
    results,
    proposals: proposal ? withProposal(working.proposals, proposal) : working.proposals,
  };
}

function withProposal(proposals: readonly Proposal[], latest: Proposal): readonly Proposal[] {
  const [first, ...others] = [...proposals, latest];
  return first ? [first, ...others.slice(-LATEST_PROPOSALS)] : [];
}
