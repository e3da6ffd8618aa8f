import { compileSchema, type DialogueAnswer, type JsonSchema } from "@interlock/contracts";
import { type Confirmation, confirmationOf, confirms } from "./confirmation.ts";
import { type Locale, type SlotValues, STAGES, type Stage } from "./types.ts";

/** The `state` of the contract, which holds all that a dialogue knows. */
export type DialogueState = {
  /** The shape of this object. */
  readonly v: 2;
  readonly stage: Stage;
  readonly slots: SlotValues;
  readonly missing: readonly string[];
  /** The tasks after this one. */
  readonly queue: readonly SlotValues[];
  readonly index: number;
  readonly total: number;
  /** Turns in a row that filled nothing new. */
  readonly fill_turns: number;
  readonly locale: Locale;
  /** The slot that the last reply asked for. */
  readonly asked?: string;
  /** Confirms the slots as they are, if anything does. */
  readonly task?: Confirmation;
  /** The slots as they were shown last, against which a new confirmation names what has changed. */
  readonly shown?: SlotValues;
  /** The hash of the message that asked for the confirmation. A yes to any other message does not confirm. */
  readonly said?: string;
  readonly reason?: string;
};

export const MAX_QUEUE = 20;
const MAX_TEXT = 500;

const value: JsonSchema = { type: ["string", "number", "boolean"], maxLength: MAX_TEXT };
const hash: JsonSchema = { type: "string", pattern: "^[0-9a-f]{64}$" };
const count: JsonSchema = { type: "integer", minimum: 0, maximum: 1000 };

function schemaOf(names: readonly string[]): JsonSchema {
  const slots = {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, value])),
  };
  const name = { enum: names };
  return {
    type: "object",
    required: ["v", "stage", "slots", "missing", "queue", "index", "total", "fill_turns", "locale"],
    additionalProperties: false,
    properties: {
      v: { const: 2 },
      stage: { enum: STAGES },
      slots,
      missing: { type: "array", maxItems: names.length, items: name },
      queue: { type: "array", maxItems: MAX_QUEUE, items: slots },
      index: count,
      total: count,
      fill_turns: count,
      locale: { enum: ["en", "ko"] },
      asked: name,
      task: {
        type: "object",
        required: ["id", "nonce"],
        additionalProperties: false,
        properties: { id: hash, nonce: { type: "string", pattern: "^[0-9a-f-]{36}$" } },
      },
      shown: slots,
      said: hash,
      reason: { type: "string", maxLength: MAX_TEXT },
    },
    // A confirmed task must have its id: under another one it would be executed a second time.
    if: { properties: { stage: { enum: ["READY", "CONFIRMED"] } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["task"] },
  };
}

/** Reads the state of a turn. Undefined for one that these slots cannot have: of another service, or of an older version. */
export type ReadState = (state: object) => DialogueState | undefined;

export function stateReader(names: readonly string[]): ReadState {
  const check = compileSchema<DialogueState>(schemaOf(names));
  return (state) => {
    const checked = check(state);
    return checked.ok ? checked.value : undefined;
  };
}

export function freshState(locale: Locale, missing: readonly string[]): DialogueState {
  return { v: 2, stage: "INIT", slots: {}, missing, queue: [], index: 1, total: 1, fill_turns: 0, locale };
}

/** Whether the task is over, regardless of the queue. */
export function isOver({ stage }: DialogueState): boolean {
  return stage === "EXECUTED" || stage === "FAILED" || stage === "CANCELLED" || stage === "UNSUPPORTED";
}

export function nextAction(state: DialogueState): DialogueAnswer["next_action"] {
  if (state.stage === "READY") return "CONFIRM";
  if (!isOver(state)) return "ASK";
  return state.queue.length > 0 ? "ASK_CONTINUE" : "DONE";
}

/** The stage that follows from filled and missing slots. A task that was shown keeps its id; a changed one gets a new one. */
export function settled(state: DialogueState, missing: readonly string[]): DialogueState {
  const { task, asked: _, reason: __, ...rest } = state;
  if (missing.length > 0) return { ...rest, stage: "FILLING", missing };
  return {
    ...rest,
    stage: "READY",
    missing,
    fill_turns: 0,
    task: task !== undefined && confirms(task, state.slots) ? task : confirmationOf(state.slots),
  };
}

export function cancelled(state: DialogueState): DialogueState {
  return { ...withoutTask(state), stage: "CANCELLED", fill_turns: 0 };
}

/** The state without the fields that belong to the current task only. */
export function withoutTask(state: DialogueState): DialogueState {
  const { task: _, shown: __, said: ___, asked: ____, reason: _____, ...rest } = state;
  return rest;
}
