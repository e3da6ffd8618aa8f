import type { Dialect } from "../../dialects/index.ts";
import { decodeEvent, isRest, type StoredEvent } from "../../events/index.ts";
import { CUT } from "../outcome.ts";
import { progressLine } from "../progress-line.ts";
import { rested, type Standing, type TaskHead, working } from "./task.ts";

/** How a binding writes what a stream tells. */
export type Framing = { event(payload: object): string; error(error: typeof CUT): string };

/** A task's stream, after its first event, which is the task itself. Its answer comes at once, with the end. */
export function a2aEvents(head: TaskHead, framing: Framing): Dialect {
  return {
    untold: true,
    open: ({ labelOf = (agent) => agent }) => ({
      frame(event, last) {
        const payloads =
          last && isRest(event)
            ? endOf(head, rested(decodeEvent(event.json), head))
            : progressOf(head, event, labelOf);
        const frames = payloads.map((payload) => framing.event(payload));
        const end = frames.pop();
        return end === undefined ? "" : `${frames.join("")}id: ${head.runId}:${event.seq}\n${end}`;
      },
      cut: () => framing.error(CUT),
    }),
  };
}

const about = ({ taskId, contextId }: TaskHead) => ({ taskId, contextId });

function progressOf(head: TaskHead, event: StoredEvent, labelOf: (agent: string) => string): object[] {
  const text = progressLine(event, labelOf);
  if (text === undefined) return [];
  const { status, metadata } = working(head, { text });
  return [{ statusUpdate: { ...about(head), status, metadata } }];
}

function endOf(head: TaskHead, { status, artifacts, metadata }: Standing): object[] {
  const updates = artifacts.map((artifact) => ({
    artifactUpdate: { ...about(head), artifact, append: false, lastChunk: true },
  }));
  return [...updates, { statusUpdate: { ...about(head), status, metadata } }];
}
