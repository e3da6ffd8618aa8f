import type { FieldSeen, JsonSeen } from "./json-seen.ts";

const SUCCESS = new Set(["ok", "success"]);
const FAILURE = new Set(["error", "failed", "failure"]);

export type Outcome = "ok" | "failed" | "contradiction" | "unclear";

/** How a sync answer says that the run ended. */
export function syncOutcome(json: JsonSeen): Outcome {
  return outcomeBy(json, ["ok"]);
}

/** How a terminal event says that the run ended. */
export function terminalOutcome(json: JsonSeen): Outcome {
  return outcomeBy(json, ["ok", "success"]);
}

function outcomeBy(json: JsonSeen, flags: readonly string[]): Outcome {
  const status = textOf(json, "status") ?? "";
  const said = flags.map((name) => flagOf(json, name));
  const succeeded = said.includes(true) || SUCCESS.has(status);
  const failed = said.includes(false) || FAILURE.has(status);
  if (succeeded && failed) return "contradiction";
  return succeeded ? "ok" : failed ? "failed" : "unclear";
}

export function kindOf(json: JsonSeen, name: string): FieldSeen["kind"] | "absent" {
  return json.fields.get(name)?.kind ?? "absent";
}

export function textOf(json: JsonSeen, name: string): string | undefined {
  const field = json.fields.get(name);
  return field?.kind === "string" ? field.text : undefined;
}

export function flagOf(json: JsonSeen, name: string): boolean | undefined {
  const field = json.fields.get(name);
  return field?.kind === "boolean" ? field.value : undefined;
}

/** The error code, if it is safe to show: a word in capitals cannot carry a value. */
export function safeCodeOf(json: JsonSeen): string | undefined {
  const code = textOf(json, "error.code");
  return code !== undefined && /^[A-Z][A-Z_]{1,40}$/.test(code) ? code : undefined;
}
