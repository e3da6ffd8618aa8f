import type { SentPart } from "./expression-parts.ts";

/** What the gateway asks a process that evaluates expressions. */
export type Evaluation = {
  source: string;
  /** Without its parts. */
  context: unknown;
  parts: readonly SentPart[];
  /** Characters of the result as JSON. */
  maxResultSize: number;
};

/** What it answers. `text` is JSON; `nothing` is JSONata's undefined. */
export type Evaluated =
  | { state: "value"; text: string }
  | { state: "nothing" }
  | { state: "too_large" }
  | { state: "failed"; code?: string; position?: number };
