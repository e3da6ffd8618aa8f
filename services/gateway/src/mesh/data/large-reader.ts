import type { JsonText } from "../../json-text.ts";
import type { PatchRule } from "./patch.ts";
import type { Context } from "./resolve.ts";

/** Reads large values outside of the event loop. */
export type LargeReader = {
  /** Evaluates a condition. @throws ConditionError */
  holds(source: string, roots: readonly string[], context: Context, signal?: AbortSignal): Promise<boolean>;
  /** Writes a value so that equal values have equal texts. */
  canonical(value: JsonText, signal?: AbortSignal): Promise<JsonText>;
  /** @returns the proposal with the edits, in canonical form; undefined where they cannot be made */
  patch(proposal: JsonText, edits: string, rule: PatchRule): Promise<JsonText | undefined>;
  /** A bounded text of a value, for people. */
  readable(value: object, signal?: AbortSignal): Promise<string>;
  /** @returns the place of the first violation of the schema; undefined where there is none */
  check(schema: object, value: object, signal?: AbortSignal): Promise<string | undefined>;
};
