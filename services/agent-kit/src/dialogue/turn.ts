import type { DialogueAnswer, DialogueTurn } from "@interlock/contracts";
import type { Progress, TaskContext } from "../types.ts";
import { type Applied, type ApplyParts, apply, missingOf, type Trouble } from "./apply.ts";
import { confirms, sha256 } from "./confirmation.ts";
import { consentOf, isSmallTalk, objects } from "./consent.ts";
import { languageOf, localeOf } from "./language.ts";
import { isDoubt, isOperation, plainRules } from "./operations.ts";
import { answerOf, type Definition, type Told, viewOf } from "./replies.ts";
import {
  cancelled,
  type DialogueState,
  freshState,
  isOver,
  type ReadState,
  settled,
  withoutTask,
} from "./state.ts";
import { textsOf } from "./texts.ts";
import type { Consent, Operation, Outcome, SlotValues, Turn } from "./types.ts";

/** Longer messages are slow to read, and are not instructions. */
const MAX_MESSAGE = 1000;
const DEFAULT_FILL_TURNS = 5;

/** One turn of a dialogue: what its methods share. */
class TurnTaker {
  readonly #definition: Definition;
  readonly #inputs: DialogueTurn;
  readonly #context: TaskContext;
  readonly #parts: ApplyParts;

  constructor(definition: Definition, inputs: DialogueTurn, context: TaskContext, parts: ApplyParts) {
    this.#definition = definition;
    this.#inputs = inputs;
    this.#context = context;
    this.#parts = parts;
  }

  async *take(state: DialogueState): AsyncGenerator<Progress, Told, void> {
    const { message } = this.#inputs;
    // A confirmed task whose outcome is unknown: find out by its id first, whatever the new message says.
    if (state.stage === "CONFIRMED") return yield* this.#perform(state);
    if (message.length > MAX_MESSAGE) return { ...this.#restated(state), before: [this.#texts.tooLong] };
    if (message.trim() === "") return this.#restated(state);
    const answer = this.#definition.answer?.(this.#turn(state), viewOf(this.#definition, state));
    if (answer !== undefined) return this.#answered(state, answer);
    if (isOver(state)) return state.queue.length > 0 ? this.#between(state) : this.#after(state);
    if (state.stage === "READY") return yield* this.#ready(state);
    return this.#filling(state);
  }

  get #texts() {
    return textsOf(this.#parts.locale);
  }

  #consent(state: DialogueState): Consent | undefined {
    const own = this.#definition.confirm?.understand;
    return own === undefined ? consentOf(this.#inputs.message) : own(this.#turn(state));
  }

  /** A task waits for its slots, or has not begun. */
  async #filling(state: DialogueState): Promise<Told> {
    const consent = this.#consent(state);
    const operations = await this.#operations(state);
    if (operations.length === 0 && (consent === "cancel_all" || consent === "no") && isCancelling(state)) {
      return this.#cancelled(state, consent === "cancel_all");
    }
    const applied = apply(this.#parts, state, operations);
    const told = this.#settled(applied, state.stage === "INIT");
    // An optional slot has a problem. Do not go on without it unless the user says so.
    const isDodged =
      operations.length === 0 &&
      consent === undefined &&
      state.stage !== told.state.stage &&
      state.asked !== undefined;
    if (isDodged) return this.#notUnderstood(state, state);
    if (applied.changed || told.state.stage !== "FILLING" || state.stage === "INIT") return told;
    return this.#notUnderstood(state, told.state, told.trouble);
  }

  /** Counts a turn that filled nothing, and gives up after `maxFillTurns`. */
  #notUnderstood(before: DialogueState, state: DialogueState, trouble?: Trouble): Told {
    const fill_turns = before.fill_turns + 1;
    if (fill_turns >= (this.#definition.maxFillTurns ?? DEFAULT_FILL_TURNS))
      return { state: { ...cancelled(before), stage: "UNSUPPORTED", queue: [] } };
    const counted = { ...state, fill_turns };
    return trouble === undefined
      ? { state: counted, before: [this.#texts.notUnderstood] }
      : { state: counted, trouble };
  }

  /** The task was shown, and the user says yes, no, or something else. */
  async *#ready(state: DialogueState): AsyncGenerator<Progress, Told, void> {
    const consent = this.#consent(state);
    if (consent === "no" || consent === "cancel_all") return this.#cancelled(state, consent === "cancel_all");
    // A yes with a change in it is no yes. Do not ask a model whether the user has agreed.
    const found = consent === "yes" ? this.#found(state) : await this.#operations(state);
    const operations = found.filter(({ op }) => op !== "next");
    const applied = apply(this.#parts, state, operations);
    if (applied.changed || applied.troubles.length > 0) return this.#corrected(state, applied, operations);
    if (consent === "yes" && !operations.some(isDoubt)) return yield* this.#confirmed(state);
    if (operations.some(isDoubt) || (operations.length === 0 && objects(this.#inputs.message)))
      return this.#doubted({ state });
    return { state, before: [this.#texts.unclear] };
  }

  /** The user wants a change: withdraw what was shown before showing anything else. */
  async #corrected(state: DialogueState, applied: Applied, operations: readonly Operation[]): Promise<Told> {
    const told = this.#settled(applied, true);
    const next = operations.some(isDoubt) && told.state.stage === "READY" ? this.#doubted(told) : told;
    if (next.state.task?.id === state.task?.id) return next;
    return (await this.#withdrawn(state)) ?? next;
  }

  /** A further change was not understood. Ask what is meant without offering a confirmation; a yes to that shows the confirmation. */
  #doubted({ state }: Pick<Told, "state">): Told {
    const { summary } = viewOf(this.#definition, state);
    return { state, before: [this.#texts.notUnderstood], instead: this.#texts.different(summary) };
  }

  /** One task of several is over, and the user is asked whether to go on. */
  async #between(state: DialogueState): Promise<Told> {
    const consent = this.#consent(state);
    if (consent === "no" || consent === "cancel_all") return this.#restCancelled(state);
    const operations = consent === undefined ? await this.#operations(state) : [];
    const queueOnly = operations.every(({ op, ...rest }) => op === "add" || "queued" in rest);
    if (operations.length > 0 && queueOnly) return { state: apply(this.#parts, state, operations).state };
    if (consent === undefined && operations.length === 0) return { state, before: [this.#texts.unclear] };
    return this.#settled(apply(this.#parts, state, [{ op: "next" }, ...operations]), true);
  }

  /** All is over. Another task begins, unless the user only reacts to the last one. */
  async #after(state: DialogueState): Promise<Told> {
    const { message } = this.#inputs;
    const consent = this.#consent(state);
    if (consent === "no" && state.stage === "EXECUTED") return { state, instead: this.#texts.cannotCancel };
    if (consent !== undefined || isSmallTalk(message)) return { state, instead: this.#texts.nothingLeft };
    return this.#filling(this.#fresh());
  }

  #fresh(): DialogueState {
    return freshState(this.#parts.locale, missingOf(this.#parts.slots, {}));
  }

  /** A yes confirms what was shown last, under its id, and only while it is still valid. */
  async *#confirmed(state: DialogueState): AsyncGenerator<Progress, Told, void> {
    if (!this.#isLastSaid(state)) return { state, before: [this.#texts.interrupted] };
    const again: Operation[] = Object.entries(state.slots).map(([slot, value]) => ({
      op: "set",
      slot,
      value,
    }));
    const checked = apply(this.#parts, state, again);
    if (checked.troubles.length > 0 || checked.changed) {
      return (await this.#withdrawn(state)) ?? this.#settled(checked, true);
    }
    return yield* this.#perform({ ...state, stage: "CONFIRMED" });
  }

  /** Whether the request for confirmation was the last message to the user. Without a history, only the state tells. */
  #isLastSaid({ said }: DialogueState): boolean {
    const { history } = this.#inputs;
    const last = history.findLast(({ role }) => role === "assistant");
    if (said === undefined || history.length === 0) return said !== undefined;
    return last !== undefined && sha256(last.text) === said;
  }

  async *#perform(state: DialogueState): AsyncGenerator<Progress, Told, void> {
    const task = this.#task(state);
    if (task === undefined || state.task === undefined || !confirms(state.task, state.slots))
      return (await this.#withdrawn(state)) ?? this.#settled({ state, troubles: [] }, true);
    // Send the confirmed state first: if this process dies now, the next turn continues with the same id.
    yield { type: "progress", checkpoint: { state } };
    return this.#concluded(state, await this.#definition.execute(task, this.#context));
  }

  #task({ slots, task, locale }: DialogueState) {
    return task === undefined ? undefined : { id: task.id, slots, locale };
  }

  #concluded(state: DialogueState, outcome: Outcome): Told {
    const { task } = state;
    const rest = withoutTask(state);
    if (!outcome.ok) return { state: { ...rest, stage: "FAILED", reason: outcome.reason.slice(0, 500) } };
    const effects = outcome.effect && task ? [{ ...outcome.effect, id: task.id }] : [];
    return { state: { ...rest, stage: "EXECUTED" }, effects };
  }

  /** Undefined once it is certain that what was shown is never executed; otherwise what has come of it already. */
  async #withdrawn(state: DialogueState): Promise<Told | undefined> {
    const task = this.#task(state);
    const outcome = task && (await this.#definition.withdraw?.(task, this.#context));
    return outcome && { ...this.#concluded(state, outcome), before: [this.#texts.cannotCancel] };
  }

  async #cancelled(state: DialogueState, all: boolean): Promise<Told> {
    const done = state.stage === "READY" ? await this.#withdrawn(state) : undefined;
    if (done !== undefined) return all ? { ...done, state: { ...done.state, queue: [] } } : done;
    const over = cancelled(state);
    if (!all || state.queue.length === 0) return { state: over };
    return { state: { ...over, queue: [] }, instead: this.#texts.allCancelled(state.queue.length + 1) };
  }

  #restCancelled(state: DialogueState): Told {
    return {
      state: { ...cancelled(state), queue: [] },
      instead: this.#texts.restCancelled(state.queue.length),
    };
  }

  /** The stage that a task comes to. A slot in trouble is emptied: nothing is shown that the user has just called into question. */
  #settled({ state, troubles }: Pick<Applied, "state" | "troubles">, forgiven: boolean): Told {
    const { slots: all, locale, now } = this.#parts;
    const trouble: Trouble | undefined =
      troubles[0] ?? reviewed(this.#definition.review?.(state.slots, { locale, now, slots: state.slots }));
    const base = forgiven ? { ...state, fill_turns: 0 } : state;
    if (trouble === undefined) return { state: settled(base, missingOf(all, state.slots)) };
    const { [trouble.slot]: _, ...slots } = base.slots;
    const { task: __, ...rest } = base;
    return { state: { ...rest, slots, stage: "FILLING", missing: missingOf(all, slots) }, trouble };
  }

  #restated(state: DialogueState): Told {
    return state.stage === "INIT" ? this.#settled({ state, troubles: [] }, true) : { state };
  }

  #answered(state: DialogueState, answer: string): Told {
    if (isOver(state) && state.queue.length === 0) return { state, instead: answer };
    return { ...this.#restated(state), before: [answer] };
  }

  #turn({ stage, slots, queue, missing, asked, index, total }: DialogueState): Turn<SlotValues> {
    const { message, history } = this.#inputs;
    const { locale, now } = this.#parts;
    const known = { message, locale, stage, slots, queue, missing, index, total, now, history };
    return asked === undefined ? known : { ...known, asked };
  }

  #found(state: DialogueState): readonly Operation[] {
    const turn = this.#turn(state);
    return this.#definition.rules?.(turn) ?? plainRules(this.#definition, turn);
  }

  /** The operations that the rules find, else those of the model. */
  async #operations(state: DialogueState): Promise<readonly Operation[]> {
    const found = this.#found(state);
    if (found.length > 0 || this.#definition.fill === undefined) return found;
    try {
      return (await this.#definition.fill(this.#turn(state), this.#context)).filter(
        (one) => isOperation(one).ok,
      );
    } catch (error) {
      this.#context.signal.throwIfAborted();
      this.#context.log.warn("the slot filler failed", {
        aborted: Error.isError(error) && error.name === "AbortError",
      });
      return [];
    }
  }
}

/** A plain "no" answers a question; it cancels only if something was filled or asked. */
function isCancelling({ stage }: DialogueState): boolean {
  return stage === "FILLING";
}

function reviewed(
  found: { readonly slot: string; readonly problem: string } | undefined,
): Trouble | undefined {
  return found && { slot: found.slot, text: found.problem };
}

/** One turn: yields checkpoints and the place in a batch, and returns the answer. */
export async function* takeTurn(
  definition: Definition,
  readState: ReadState,
  inputs: DialogueTurn,
  context: TaskContext,
): AsyncGenerator<Progress, DialogueAnswer, void> {
  const known = inputs.state === null ? undefined : readState(inputs.state);
  const locale = languageOf(inputs.message, known?.locale ?? localeOf(inputs.locale));
  const parts = { slots: definition.slots, locale, now: definition.now?.() ?? new Date() };
  const state = known ? { ...known, locale } : freshState(locale, missingOf(definition.slots, {}));
  const told = yield* new TurnTaker(definition, inputs, context, parts).take(state);
  const lost = inputs.state !== null && Object.keys(inputs.state).length > 0 && known === undefined;
  const before = [...(lost ? [textsOf(locale).lostTrack] : []), ...(told.before ?? [])];
  const { index, total, slots } = told.state;
  if (total > 1) yield { type: "progress", task_progress: { index, total, slots } };
  return answerOf(definition, { ...told, before });
}
