import type { JsonProblem } from "@interlock/contracts";
import type { SentPart } from "./expression-parts.ts";
import type { SentText } from "./expression-texts.ts";
import type { Span } from "./json-members.ts";

/** Asks a process to evaluate an expression. */
export type Evaluation = {
  kind: "evaluate";
  source: string;
  /** Without its parts. */
  context: unknown;
  /** Where in the context each part has its place. */
  places: readonly { path: readonly string[]; id: number }[];
  parts: readonly SentPart<SentText>[];
  /** Whether the result is written as canonical JSON. */
  canonical: boolean;
  /** The id of the result as a part: an object that takes more characters than `keptFrom` becomes one. */
  resultId: number;
  keptFrom: number;
  /** Characters of the result as JSON. */
  maxResultSize: number;
};

/** A value that stands in the text of a part: all of the text where there is no span. */
export type Quote = { id: number; span?: Span };

/** Pieces of JSON, one after another: text, or what stands in a part already. */
export type ResultPiece<Text = SentText> = { text: Text } | Quote;

/** `kept`: the characters of a result that the process has as a part from now on. `nothing` is JSONata's undefined. */
export type Evaluated =
  | { state: "value"; pieces: readonly ResultPiece[]; kept?: number }
  | { state: "nothing" }
  | { state: "too_large" }
  | { state: "failed"; code?: string; position?: number };

/** Asks a process whether a value has the form that a JSON Schema describes. */
export type Checking = Pick<Evaluation, "context" | "places" | "parts"> & { kind: "check"; schema: object };

/** `place`: of what does not have it. */
export type Checked = { place?: string };

/**
 * Asks a process to read the text of a JSON object. Of its lazy members, where they are objects, the process tells only where they are;
 * it keeps them as parts with these ids.
 */
export type Reading = {
  kind: "read";
  json: SentText;
  lazy: readonly { name: string; id: number }[];
  maxDepth: number;
};

export type LazySpan = { name: string; id: number; span: Span };

export type ReadObject =
  | { ok: true; object: Record<string, unknown>; spans: readonly LazySpan[] }
  | { ok: false; problem: JsonProblem | "not_an_object" };
