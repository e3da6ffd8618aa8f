import type { JsonProblem } from "@interlock/contracts";
import type { PatchRule } from "../data/index.ts";
import type { Span } from "../json-members.ts";
import type { SentText } from "./texts.ts";

/** What a process is asked about the text of a JSON value. */
export type Task<Text = SentText> = { json: Text } & (
  | { kind: "read"; lazy: readonly string[]; maxDepth: number }
  | { kind: "check"; schema: object }
  | { kind: "judge"; schema: object }
  | { kind: "canonical" }
  | { kind: "readable" }
  | { kind: "holds"; source: string; roots: readonly string[] }
  | { kind: "patch"; edits: string; rule: PatchRule }
);

/** Of the lazy members, where they are objects, the answer tells only where they are. */
export type ReadAnswer =
  | { ok: true; object: Record<string, unknown>; spans: readonly { name: string; span: Span }[] }
  | { ok: false; problem: JsonProblem | "not_an_object" };

/** By the kind of task. `place`: of the first violation of the schema. */
export type Answers = {
  read: ReadAnswer;
  check: { place?: string };
  /** `problem`: in words of the schema. */
  judge: { problem?: string };
  canonical: { text: SentText };
  readable: { text: SentText };
  /** `why`: the reason why the condition cannot be evaluated. */
  holds: { holds: boolean } | { why: string };
  /** Canonical; absent where the edits cannot be made. */
  patch: { text?: SentText };
};
