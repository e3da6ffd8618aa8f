import type { AgentCard } from "@interlock/contracts";

/** A JSON Schema of an object. */
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

export type TaskSchemas = { inputs?: ObjectSchema; outputs?: ObjectSchema };

/**
 * The schemas of a task by its agent's card, as tools may have them: of an object, and whole. What refers to other documents would make
 * clients refuse it. Absent: the card has none that is so.
 */
export function taskSchemas(card: AgentCard | undefined, task: string): TaskSchemas {
  const declared = card?.task_types.find(({ task_type }) => task_type === task);
  const inputs = declared && wholeSchema(declared.inputs);
  const outputs = declared && wholeSchema(declared.outputs);
  return { ...(inputs ? { inputs } : {}), ...(outputs ? { outputs } : {}) };
}

function wholeSchema(schema: Readonly<Record<string, unknown>>): ObjectSchema | undefined {
  if (schema.type !== "object" || refersElsewhere(schema)) return undefined;
  // Two schemas of one id would be one to a client.
  const { $id: _, ...rest } = schema;
  return { ...rest, type: "object" };
}

function refersElsewhere(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (name === "$ref" && typeof member === "string" && !member.startsWith("#")) || refersElsewhere(member),
  );
}
