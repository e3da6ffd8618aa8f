import type { Dialect } from "./dialects.ts";
import type { ResetEvent } from "./events.ts";
import type { Frame } from "./frames.ts";
import { isJsonObject, type JsonObject } from "./wire.ts";

export type ReadFrame<E> =
  | { readonly kind: "event"; readonly seq: number; readonly event: E }
  /** Encodes one event of the run together with the frames that follow, up to the next one of kind `event`. */
  | { readonly kind: "part"; readonly event: E }
  | { readonly kind: "reset"; readonly event: ResetEvent }
  | { readonly kind: "defect"; readonly reason: "not_json" | "bad_event" };

/** Decodes a frame in a dialect. */
export function readFrame<E>(frame: Frame, dialect: Pick<Dialect<E, unknown>, "read" | "seq">): ReadFrame<E> {
  const data = parseObject(frame.data);
  if (!data) return { kind: "defect", reason: "not_json" };
  if (frame.event === "reset") return { kind: "reset", event: { type: "reset", run: data } };
  const seq = dialect.seq(data, frame);
  if (seq === undefined) return BAD;
  const event = dialect.read(data);
  if (event === undefined) return BAD;
  if (seq === "part") return { kind: "part", event };
  return Number.isSafeInteger(seq) && seq >= 1 ? { kind: "event", seq, event } : BAD;
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
