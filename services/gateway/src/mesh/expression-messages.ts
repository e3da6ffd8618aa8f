import type { JsonProblem } from "@interlock/contracts";
import type { SentPart } from "./expression-parts.ts";
import type { Span } from "./json-members.ts";

/** Asks a process to evaluate an expression. */
export type Evaluation = {
  kind: "evaluate";
  source: string;
  /** Without its parts. */
  context: unknown;
  parts: readonly SentPart[];
  /** Whether the result is written as canonical JSON. */
  canonical: boolean;
  /** Characters of the result as JSON. */
  maxResultSize: number;
};

/** `text` is JSON; `nothing` is JSONata's undefined. */
export type Evaluated =
  | { state: "value"; text: string }
  | { state: "nothing" }
  | { state: "too_large" }
  | { state: "failed"; code?: string; position?: number };

/**
 * Asks a process to read the text of a JSON object. Of its lazy members, where they are objects, the process tells only where they are;
 * it keeps them as parts with these ids.
 */
export type Reading = {
  kind: "read";
  json: string;
  lazy: readonly { name: string; id: number }[];
  maxDepth: number;
};

export type LazySpan = { name: string; id: number; span: Span };

export type ReadObject =
  | { ok: true; object: Record<string, unknown>; spans: readonly LazySpan[] }
  | { ok: false; problem: JsonProblem | "not_an_object" };
