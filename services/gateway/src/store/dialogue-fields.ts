import type { CompletedEntry, DialogueEffect, DialogueRest } from "@interlock/contracts";
import { JsonText } from "../json-text.ts";
import type { ScriptArgument } from "./script.ts";

/** Where a dialogue stands, without its state. */
export type DialogueHead = {
  /** Grows by one with each state that is kept. */
  version: number;
  next_action: DialogueRest["next_action"];
  /** The state's own member of that name. */
  stage?: string;
  /** The language that the user spoke last. */
  locale: string;
};

export type Dialogue = DialogueHead & { service: string; state: JsonText };

/** Fields of a session, names and values in turn. */
export type SessionFields = {
  set: readonly string[];
  /** Those that the session gets only where it has not got them yet. */
  new: readonly string[];
};

const HEAD = "dialogue:";
const STATE = "state:";
const EFFECT = "effect:";

/** Which fields hold heads, and which hold effects, as HSCAN understands it. */
export const HEADS = `${HEAD}*`;
export const EFFECTS = `${EFFECT}*`;

/** The fields of one service's dialogue, as {@link readDialogue} takes their values. */
export function dialogueNames(service: string): [head: string, state: string] {
  return [HEAD + service, STATE + service];
}

/** What a session keeps of a turn. */
export function dialogueFields(
  { service, state, ...head }: Dialogue,
  effects: readonly DialogueEffect[],
  runId: string,
): SessionFields {
  const [headName, stateName] = dialogueNames(service);
  const at = new Date().toISOString();
  const listed = effects.flatMap((effect) => {
    const entry: CompletedEntry = { ...effect, service, run_id: runId, at };
    return [`${EFFECT}${service}:${effect.id}`, JSON.stringify(entry)];
  });
  return { set: [headName, JSON.stringify(head), stateName, state.text], new: listed };
}

/** @returns undefined where the session has no dialogue with the service */
export function readDialogue(
  service: string,
  [head, state]: readonly (string | null)[],
): Dialogue | undefined {
  if (!head || !state) return undefined;
  return { ...readHead(head), service, state: new JsonText(state) };
}

/** @param head written by us alone */
export function readHead(head: string): DialogueHead {
  return JSON.parse(head) as DialogueHead;
}

/** @param field one of {@link HEADS} */
export function serviceOf(field: string): string {
  return field.slice(HEAD.length);
}

/** Adds fields to the arguments of a script; see pairs_from in lua/common.lua. */
export function pushFields(args: ScriptArgument[], fields: SessionFields | undefined): void {
  if (fields) args.push(fields.set.length / 2, ...fields.set, fields.new.length / 2, ...fields.new);
  else args.push(0, 0);
}
