import type { DialogueHistoryEntry } from "@interlock/contracts";
import type { TaskContext } from "../types.ts";

/** The stage of a task. Only the kit changes it. */
export const STAGES = [
  "INIT",
  "FILLING",
  "READY",
  "CONFIRMED",
  "EXECUTED",
  "FAILED",
  "CANCELLED",
  "UNSUPPORTED",
] as const;
export type Stage = (typeof STAGES)[number];

/** The languages that the kit speaks. */
export type Locale = "en" | "ko";
export type Localised<T = string> = Readonly<Record<Locale, T>>;

export type SlotValue = string | number | boolean;
/** The normalised values of a task, by slot. */
export type SlotValues = { readonly [slot: string]: SlotValue | undefined };

/** The context of a slot's check. */
export type About<S> = { readonly locale: Locale; readonly now: Date; readonly slots: Readonly<Partial<S>> };

/**
 * What a check finds: the value in its one spelling (and what the same words say of other slots), what is wrong with it,
 * or between which readings the user has to choose. Every choice is a text that the check reads in one way.
 */
export type Verdict<S, V = SlotValue> =
  | { readonly value: V; readonly also?: Readonly<Partial<S>> }
  | { readonly problem: string }
  | { readonly question: string; readonly choices: readonly string[]; readonly also?: Readonly<Partial<S>> };

export type Slot<S, V = SlotValue> = {
  readonly label: Localised;
  /** The question that asks for it. */
  readonly ask: Localised;
  readonly optional?: boolean;
  /** Judges and normalises words of the user, or a value from a model. Pure. */
  check(raw: unknown, about: About<S>): Verdict<S, V>;
  /** The words of a message that say this slot, for the default `rules`. */
  find?(message: string, locale: Locale): unknown;
  /** How the user reads a value; by default as it is. */
  show?(value: V, slots: Readonly<Partial<S>>, locale: Locale): string;
};

/** What a message asks to change. `value` and `values` are raw: the slots' checks decide what becomes of them. */
export type Operation =
  | { readonly op: "set"; readonly slot: string; readonly value: unknown }
  /** Forgets a slot, or drops the task at that place of the queue. */
  | { readonly op: "clear"; readonly slot: string }
  | { readonly op: "clear"; readonly queued: number }
  /** Puts another task at the end of the queue. */
  | { readonly op: "add"; readonly values: Readonly<Record<string, unknown>> }
  /** Goes on with the first task of the queue. */
  | { readonly op: "next" }
  /** A change was requested but not understood: the user is asked, and a yes to that confirms nothing. */
  | { readonly op: "doubt" };

/**
 * The meaning of an answer to a yes-or-no question; an unclear answer has none of these. `next` goes on with the queue, but confirms
 * nothing.
 */
export type Consent = "yes" | "next" | "no" | "cancel_all";

/** All that rules and a model may know of a turn. */
export type Turn<S> = {
  readonly message: string;
  readonly locale: Locale;
  readonly stage: Stage;
  readonly slots: Readonly<Partial<S>>;
  readonly queue: readonly Readonly<Partial<S>>[];
  readonly missing: readonly string[];
  /** The slot that the last reply asked for. */
  readonly asked?: string;
  /** The place of the task among those of one batch, from 1. */
  readonly index: number;
  readonly total: number;
  readonly now: Date;
  readonly history: readonly DialogueHistoryEntry[];
};

/** What a reply is made of. */
export type View<S> = {
  readonly locale: Locale;
  readonly slots: Readonly<Partial<S>>;
  readonly queue: readonly Readonly<Partial<S>>[];
  readonly index: number;
  readonly total: number;
  /** One slot as the user reads it; empty where it is not filled. */
  shown(slot: string): string;
  /** All filled slots as the user reads them: "item: pump, quantity: 3". */
  readonly summary: string;
  /** Why the task was refused. */
  readonly reason?: string;
};

/**
 * The stages that have a reply of their own, and NEXT: how a task of the queue is named. FILLING asks for the first missing slot unless
 * it says otherwise.
 */
export type Replies<S> = {
  readonly [stage in "FILLING" | "READY" | "EXECUTED" | "FAILED" | "CANCELLED" | "UNSUPPORTED" | "NEXT"]?: (
    view: View<S>,
  ) => string | undefined;
};

/** A task that the user has confirmed. The id is the hash of what was shown, and stays the same in every repetition. */
export type ConfirmedTask<S> = {
  readonly id: string;
  readonly slots: Readonly<S>;
  readonly locale: Locale;
};

/** How a task ended for good. An outcome that is not known is neither: throw, and the same task is tried again. */
export type Outcome =
  | { readonly ok: true; readonly effect?: { readonly kind: string; readonly [field: string]: unknown } }
  | { readonly ok: false; readonly reason: string };

export type DialogueDefinition<S> = {
  readonly description?: string;
  readonly slots: { readonly [K in keyof S]-?: Slot<S, NonNullable<S[K]>> };
  /** The dialogue's own replies by stage, instead of the kit's. */
  readonly stages?: Partial<Localised<Replies<S>>>;
  /** The dialogue's own way to ask for and understand a yes or no, instead of the kit's. */
  readonly confirm?: {
    readonly buttons?: Localised<readonly [yes: string, no: string]>;
    understand?(turn: Turn<S>): Consent | undefined;
  };
  /**
   * Does it. It may be called again with the same id, after a crash or a lost answer, and must have its effect once.
   * Throws where it cannot know whether the effect took place.
   */
  execute(task: ConfirmedTask<S>, context: TaskContext): Promise<Outcome>;
  /**
   * Makes sure that a task which was shown is never executed, since the user cancels or corrects it. Returns the outcome
   * if it has been executed already: its confirmation may have got lost on the way back.
   */
  withdraw?(task: ConfirmedTask<S>, context: TaskContext): Promise<Outcome | undefined>;
  /** What a message changes; by default what the slots find, or all of it for the slot that was asked for. */
  rules?(turn: Turn<S>): readonly Operation[];
  /** A model that fills what the rules do not find. It yields operations, which are checked as those of rules are. */
  fill?(turn: Turn<S>, context: TaskContext): Promise<readonly Operation[]>;
  /** Answers a question about the dialogue itself, such as how much it was. */
  answer?(turn: Turn<S>, view: View<S>): string | undefined;
  /** What is wrong with slots that are fine one by one. The slot is asked for again. */
  review?(
    slots: Readonly<Partial<S>>,
    about: About<S>,
  ): { readonly slot: string; readonly problem: string } | undefined;
  /** Turns that fill nothing new before the dialogue gives up; 5 by default. */
  readonly maxFillTurns?: number;
  readonly now?: () => Date;
};
