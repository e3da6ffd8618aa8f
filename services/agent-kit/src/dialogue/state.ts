import { createHash, randomUUID } from "node:crypto";
import { compileSchema, type DialogueAnswer, type JsonSchema } from "@interlock/contracts";
import { type Locale, type SlotValues, STAGES, type Stage } from "./types.ts";

/** What goes to and fro as the `state` of the contract: all that a dialogue knows. */
export type DialogueState = {
  /** The shape of this object. */
  readonly v: 1;
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
  /** The task that was shown to be confirmed, under its id, with the hash of what was shown. */
  readonly task?: { readonly id: string; readonly shown: string };
  readonly reason?: string;
};

export const MAX_QUEUE = 20;
const MAX_TEXT = 500;

const value: JsonSchema = { type: ["string", "number", "boolean"], maxLength: MAX_TEXT };
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
      v: { const: 1 },
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
        required: ["id", "shown"],
        additionalProperties: false,
        properties: {
          id: { type: "string", pattern: "^[0-9a-f-]{36}$" },
          shown: { type: "string", maxLength: 64 },
        },
      },
      reason: { type: "string", maxLength: MAX_TEXT },
    },
    // Whoever executes needs the id, or it would be done under another one a second time.
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
  return { v: 1, stage: "INIT", slots: {}, missing, queue: [], index: 1, total: 1, fill_turns: 0, locale };
}

/** Whether the task has come to its end, whatever waits behind it. */
export function isOver({ stage }: DialogueState): boolean {
  return stage === "EXECUTED" || stage === "FAILED" || stage === "CANCELLED" || stage === "UNSUPPORTED";
}

export function nextAction(state: DialogueState): DialogueAnswer["next_action"] {
  if (state.stage === "READY") return "CONFIRM";
  if (!isOver(state)) return "ASK";
  return state.queue.length > 0 ? "ASK_CONTINUE" : "DONE";
}

/** Equal slots have equal hashes, in whatever order they were filled. */
export function hashOf(slots: SlotValues): string {
  const entries = Object.entries(slots).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("base64url");
}

/** The stage that filled or missing slots come to. What was shown keeps its id; anything else is a task of its own. */
export function settled(state: DialogueState, missing: readonly string[]): DialogueState {
  const { task, asked: _, reason: __, ...rest } = state;
  if (missing.length > 0) return { ...rest, stage: "FILLING", missing };
  const shown = hashOf(state.slots);
  return {
    ...rest,
    stage: "READY",
    missing,
    fill_turns: 0,
    task: task?.shown === shown ? task : { id: randomUUID(), shown },
  };
}

export function cancelled(state: DialogueState): DialogueState {
  const { task: _, asked: __, ...rest } = state;
  return { ...rest, stage: "CANCELLED", fill_turns: 0 };
}
