import type { RunEnd, RunEvent, RunEventBody, StoredEvent } from "./run-event.ts";

/** An event's JSON before and after its seq, for Lua scripts, which assign the seq themselves. */
export function eventAround(runId: string, body: RunEventBody, at: string): [before: string, after: string] {
  const node = "node" in body ? `"node":${JSON.stringify(body.node)},` : "";
  return [
    `{"run_id":"${runId}","seq":`,
    `,"type":"${body.type}",${node}"at":"${at}","data":${JSON.stringify(body.data)}}`,
  ];
}

export function encodeEvent(runId: string, seq: number, at: string, body: RunEventBody): StoredEvent {
  const [before, after] = eventAround(runId, body, at);
  return { seq, type: body.type, json: before + seq + after };
}

/** Like {@link encodeEvent}, for a step's event whose data is JSON text on one line already. */
export function relayEvent(event: {
  runId: string;
  seq: number;
  at: string;
  type?: "progress" | "step_finished";
  node: string;
  data: string;
}): StoredEvent {
  const { runId, seq, at, type = "progress", node, data } = event;
  const json = `{"run_id":"${runId}","seq":${seq},"type":"${type}","node":${JSON.stringify(node)},"at":"${at}","data":${data}}`;
  return { seq, type, json };
}

/** The inverse of {@link encodeEvent}, for events read back from the store. */
export function decodeEvent(json: string): RunEvent {
  return JSON.parse(json) as RunEvent;
}

/** Like {@link decodeEvent}, for an event that is known to have ended its run. */
export function decodeEnd(json: string): Extract<RunEvent, RunEnd> {
  return JSON.parse(json) as Extract<RunEvent, RunEnd>;
}

/**
 * Finds node and data in the JSON of an event that {@link encodeEvent} or {@link relayEvent} wrote, without parsing it: progress and
 * tokens come in their thousands and are passed on unchanged. The match is the envelope's own: a string value cannot hold `,"`, since
 * a quote inside a string is escaped.
 */
export function splitEvent(json: string): { node: string; data: string } {
  const node = json.indexOf(NODE);
  const at = json.indexOf(AT, node);
  const data = json.indexOf(DATA, at);
  return { node: json.slice(node + NODE.length, at), data: json.slice(data + DATA.length, -1) };
}

const NODE = ',"node":';
const AT = ',"at":';
const DATA = ',"data":';

/**
 * Packs the events of one write into one log entry, one event a line (JSON holds no raw line feed). One entry per write costs Redis
 * far less than one entry per event.
 */
export function packEvents(events: readonly StoredEvent[]): string {
  return events.length === 1 && events[0] ? events[0].json : events.map((event) => event.json).join("\n");
}

/** Unpacks a log entry. @param lastSeq the entry's id, which is the seq of its last event */
export function unpackEvents(lastSeq: number, packed: string): StoredEvent[] {
  const lines = packed.split("\n");
  const first = lastSeq - lines.length + 1;
  return lines.map((json, index) => ({ seq: first + index, type: typeOf(json), json }));
}

const TYPE = /"type":"([a-z_]+)"/;

function typeOf(json: string): RunEvent["type"] {
  return (TYPE.exec(json)?.[1] ?? "progress") as RunEvent["type"];
}
