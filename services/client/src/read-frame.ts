import type { Dialect } from "./dialects.ts";
import type { ResetEvent } from "./events.ts";
import type { Frame } from "./frames.ts";
import { isJsonObject, type JsonObject } from "./wire.ts";

export type ReadFrame<E> =
  | { readonly kind: "event"; readonly seq: number; readonly event: E }
  | { readonly kind: "reset"; readonly event: ResetEvent }
  | { readonly kind: "defect"; readonly reason: "not_json" | "bad_event" };

/** Decodes a frame in a dialect. If the frame has an id, it must equal the event's seq. */
export function readFrame<E>(frame: Frame, dialect: Pick<Dialect<E, unknown>, "read">): ReadFrame<E> {
  const data = parseObject(frame.data);
  if (!data) return { kind: "defect", reason: "not_json" };
  if (frame.event === "reset") return { kind: "reset", event: { type: "reset", run: data } };
  const { seq } = data;
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1) return BAD;
  if (frame.id !== undefined && frame.id !== String(seq)) return BAD;
  const event = dialect.read(data);
  return event === undefined ? BAD : { kind: "event", seq, event };
}

const BAD = { kind: "defect", reason: "bad_event" } as const;

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
