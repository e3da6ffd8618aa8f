import { type DialogueTurn, schemas } from "@interlock/contracts";
import type { TaskContext, TaskDefinition, TaskRequest } from "../types.ts";
import type { Definition } from "./replies.ts";
import { stateReader } from "./state.ts";
import { takeTurn } from "./turn.ts";
import type { DialogueDefinition, SlotValues } from "./types.ts";

function schemaOf(name: "dialogueTurn" | "dialogueAnswer") {
  const schema = schemas.agent?.[name];
  if (schema === undefined) throw new Error(`the contracts have no ${name}`);
  // A card must be self-contained: its schemas refer to no other files.
  const { $id: _, $schema: __, ...own } = schema;
  return own;
}

/**
 * Makes a task that holds a dialogue: it fills slots over turns, shows what it is about to do, and does it once the user has confirmed
 * exactly that. All that it knows is in the state that goes to and fro, so any replica takes any turn.
 *
 *     INIT → FILLING → READY → CONFIRMED → EXECUTED | FAILED
 *     FILLING, READY → CANCELLED, FILLING → UNSUPPORTED
 */
export function dialogue<S extends SlotValues>(definition: DialogueDefinition<S>): TaskDefinition;
export function dialogue(definition: Definition): TaskDefinition {
  const readState = stateReader(Object.keys(definition.slots));
  return {
    ...(definition.description === undefined ? {} : { description: definition.description }),
    inputs: schemaOf("dialogueTurn"),
    outputs: schemaOf("dialogueAnswer"),
    sample: (): DialogueTurn => ({ state: null, message: "", history: [], locale: "en" }),
    run: ({ inputs }: TaskRequest<DialogueTurn>, context: TaskContext) =>
      takeTurn(definition, readState, inputs, context),
  };
}
