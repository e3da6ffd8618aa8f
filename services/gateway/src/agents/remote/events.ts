import { gatewayContract, type LogEvent } from "@interlock/contracts";
import type { StoredEvent } from "../../events/index.ts";
import { Defect } from "../defect.ts";
import { createEventDecoder } from "../event-decoder.ts";
import { asObject, type LargeReader, parse } from "../json.ts";

/** Bytes of one event. A gateway's own events are smaller, unless a flow shows all that an agent made. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
/** A longer text is read outside of the event loop. */
const LARGE = 1024 * 1024;
const MAX_DEPTH = 512;

/** Members of a large event that need not be parsed. */
const LARGE_TYPES = ["progress", "step_finished"] as const;

/** How an event of a log begins after the run's id: the dialects look for its parts in this order. */
const ENVELOPE = /^,"seq":\d+,"type":"[a-z_]+",(?:"node":"(?:[^"\\]|\\.)*",)?"at":"[^"\\]+","data":/;
const MEMBERS: ReadonlySet<string> = new Set(["run_id", "seq", "type", "node", "at", "data"]);

/** An event of a run of another gateway, as it is in the log there. */
export type RemoteEvent = StoredEvent & {
  /** What follows the run's id in the JSON. */
  readonly rest: string;
  /** The event itself; undefined where it is large, which an event that ends or pauses a run never is. */
  readonly event: LogEvent | undefined;
};

type Frame = { id: string | undefined; type: string; json: string };

/**
 * Reads the events of one run from the bytes of a stream in the run dialect: strict UTF-8, the event stream format, numbers without a gap
 * from `after` on, the envelope of a log, and the contract's schema. An event that is cut off at the end of the stream is ignored.
 * @throws Defect, and what `bytes` throws
 */
export async function* readRemoteEvents(
  bytes: AsyncIterable<unknown>,
  { runId, after, large }: { runId: string; after: number; large: LargeReader | undefined },
): AsyncGenerator<RemoteEvent, undefined> {
  let frames: Frame[] = [];
  const decoder = createEventDecoder(MAX_EVENT_BYTES, (type, json, id) =>
    frames.push({ id, type, json: json.toString() }),
  );
  let seq = after;
  for await (const chunk of bytes) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("the bytes of a stream are buffers");
    decoder.push(chunk);
    const read = frames;
    frames = [];
    for (const frame of read) yield await readFrame(frame, runId, ++seq, large);
  }
  return undefined;
}

async function readFrame(
  { id, type, json }: Frame,
  runId: string,
  seq: number,
  large: LargeReader | undefined,
): Promise<RemoteEvent> {
  // The other gateway's log has expired before the run's last event.
  if (type === "reset") throw new Defect("log_gone");
  if (id !== String(seq)) throw new Defect("not_dense");
  const start = `{"run_id":"${runId}"`;
  const rest = json.slice(start.length);
  // A line feed would end the event's line in the log.
  if (
    !json.startsWith(`${start},"seq":${seq},"type":"${type}",`) ||
    !ENVELOPE.test(rest) ||
    json.includes("\n")
  )
    throw new Defect("not_contract");
  if (json.length > LARGE && large) {
    const largeType = LARGE_TYPES.find((one) => one === type);
    if (largeType === undefined) throw new Defect("event_too_large");
    const read = await large.readObject(json, ["data"], MAX_DEPTH);
    if (!read.ok) throw new Defect("bad_json");
    checkMembers(read.object);
    return { seq, type: largeType, json, rest, event: undefined };
  }
  const object = asObject(parse(json));
  checkMembers(object);
  const valid = gatewayContract.runEvent(object);
  if (!valid.ok) throw new Defect("not_contract", valid.problem.path);
  const event = valid.value;
  // A second match exists only if a member occurs twice.
  if (event.seq !== seq || event.type !== type || event.run_id !== runId) throw new Defect("not_contract");
  if (event.type === "token" && Object.keys(event.data).length > 1) throw new Defect("not_contract");
  return { seq, type: event.type, json, rest, event };
}

function checkMembers(event: object): void {
  if (!Object.keys(event).every((name) => MEMBERS.has(name))) throw new Defect("not_contract");
}
