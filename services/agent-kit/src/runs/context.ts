import { setImmediate as nextTurn } from "node:timers/promises";
import type { TraceContext, Usage } from "@interlock/contracts";
import type { VerifiedCaller } from "../identity/caller.ts";
import type { TaskLog } from "../log.ts";
import type { TaskContext } from "../types.ts";
import type { Notes } from "./answer.ts";

export type ContextParts = {
  readonly signal: AbortSignal;
  readonly log: TaskLog;
  readonly requestId: string;
  readonly deadline?: number;
  readonly trace: TraceContext;
  readonly traceparent?: string;
  readonly language?: string;
  readonly idempotencyKey?: string;
  readonly caller?: VerifiedCaller;
};

export function emptyNotes(warnings: readonly string[] = [], provenance: object = {}): Notes {
  return {
    warnings: [...warnings],
    artifacts: [],
    provenance: { ...provenance },
    usage: undefined,
    grounding: undefined,
  };
}

function joined(before: readonly unknown[] | undefined, more: readonly unknown[] | undefined): unknown[] {
  return [...(before ?? []), ...(more ?? [])];
}

function summed(before: Usage, more: Readonly<Usage>): Usage {
  const sum: Usage = { ...before };
  for (const [name, value] of Object.entries(more)) {
    const held = sum[name];
    sum[name] = typeof held === "number" && typeof value === "number" ? held + value : value;
  }
  return sum;
}

/** The context of a run. What the task reports through it is collected in `notes`. */
export function createContext(parts: ContextParts, notes: Notes): TaskContext {
  return {
    ...parts,
    warn: (text) => void notes.warnings.push(text),
    attach: (artifact) => void notes.artifacts.push(artifact),
    pause: async () => {
      await nextTurn();
      parts.signal.throwIfAborted();
    },
    provenance: (fields) => void Object.assign(notes.provenance, fields),
    use: (usage) => {
      notes.usage = summed(notes.usage ?? {}, usage);
    },
    cite: (grounding) => {
      notes.grounding = {
        ...notes.grounding,
        ...grounding,
        sources: joined(notes.grounding?.sources, grounding.sources),
        citations: joined(notes.grounding?.citations, grounding.citations),
        span_refs: joined(notes.grounding?.span_refs, grounding.span_refs),
      };
    },
  };
}
