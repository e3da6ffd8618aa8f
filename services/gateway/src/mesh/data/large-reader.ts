import type { JsonText } from "../../json-text.ts";
import type { PatchRule } from "./patch.ts";
import type { Context } from "./resolve.ts";

/** Looks into large values outside of the event loop. */
export type LargeReader = {
  /** Tells a condition. @throws ConditionError */
  holds(source: string, roots: readonly string[], context: Context, signal?: AbortSignal): Promise<boolean>;
  /** Writes a value so that equal values have equal texts. */
  canonical(value: JsonText, signal?: AbortSignal): Promise<JsonText>;
  /** @returns the proposal with the edits, in canonical form; undefined where they cannot be made */
  patch(proposal: JsonText, edits: string, rule: PatchRule): Promise<JsonText | undefined>;
  /** A bounded text of a value, for people. */
  readable(value: object, signal?: AbortSignal): Promise<string>;
  /** @returns the place of what does not have the form that the schema describes; undefined where all of it has */
  check(schema: object, value: object, signal?: AbortSignal): Promise<string | undefined>;
};
