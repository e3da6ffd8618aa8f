import type { Request, Response } from "express";
import { DIALECTS } from "../dialects/dialect.ts";
import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import { decodeEvent, type StoredEvent } from "../runs/events.ts";
import type { Runs } from "../runs/runs.ts";
import type { LogReader } from "../store/log-reader.ts";
import type { RunRecord } from "../store/run-store.ts";
import { idParam, query, readQuery } from "./request.ts";
import type { SseStreams } from "./sse.ts";
import { RunStreamWriter, streamStored } from "./stream-run.ts";

export type RunRoutesDeps = { runs: Runs; reader: LogReader; streams: SseStreams };

/** GET /api/v1/runs/{id} */
export function getRun({ runs }: RunRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    const caller: Caller = res.locals.caller;
    const record = await runs.find(caller, idParam(req, "id"));
    res.json(viewOf(record));
  };
}

const EVENT_PARAMETERS = {
  after: query.integer(0, 2 ** 31 - 1),
  dialect: query.oneOf("chat", "run"),
  keepalive: query.boolean,
  interval: query.integer(1, 300),
};

/**
 * GET /api/v1/runs/{id}/events: the run's events from a cursor on, live or afterwards, from any replica. `Last-Event-ID` or `?after=`
 * is the last seq that the reader has. 204 where the run is over and all of it was read.
 */
export function getRunEvents({ runs, reader, streams }: RunRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    const caller: Caller = res.locals.caller;
    const options = readQuery(req, EVENT_PARAMETERS);
    const record = await runs.find(caller, idParam(req, "id"));
    const after = cursorOf(req, options.after);
    if (after > record.seq) throw new GatewayError("invalid_cursor");
    const over = record.terminal !== undefined;
    if (over && after >= record.seq) {
      res.status(204).end();
      return;
    }
    const key = runs.keys(caller).events(record.id);
    const dialect = DIALECTS[options.dialect ?? "run"];
    const firstHeld = await reader.firstHeld(key);
    const keepaliveMs = (options.keepalive ?? true) ? (options.interval ?? 15) * 1000 : 0;
    const stream = streams.open(res, keepaliveMs, { "x-run-id": record.id });
    if (over && (firstHeld === undefined || after + 1 < firstHeld)) {
      // The log is not held any more: the reader starts anew from what the record still knows.
      stream.write(`event: reset\ndata: ${JSON.stringify(viewOf(record))}\n\n`);
      const end: StoredEvent = {
        seq: record.seq,
        type: decodeEvent(record.terminal ?? "").type,
        json: record.terminal ?? "",
      };
      new RunStreamWriter(stream, dialect).events([end]);
      return;
    }
    streamStored(key, new RunStreamWriter(stream, dialect, after), stream, reader);
  };
}

function cursorOf(req: Request, after: number | undefined): number {
  const header = req.get("last-event-id");
  if (header === undefined || header === "") return after ?? 0;
  if (!/^\d{1,10}$/.test(header)) throw new GatewayError("invalid_cursor");
  return Number(header);
}

/** A run as its readers see it; the terminal event's data is the result. */
function viewOf(record: RunRecord): Record<string, unknown> {
  const { order } = record;
  return {
    run_id: record.id,
    session_id: record.sessionId,
    kind: record.kind,
    state: record.state,
    intent: order.intent,
    ...(order.target.kind === "flow" ? { flow: order.target.flow, goals: order.target.goals } : {}),
    model: order.model.chosen,
    seq: record.seq,
    created_at: new Date(record.createdAt).toISOString(),
    ...(record.finishedAt === undefined ? {} : { finished_at: new Date(record.finishedAt).toISOString() }),
    ...(record.terminal === undefined ? {} : { result: decodeEvent(record.terminal).data }),
    links: { self: `/api/v1/runs/${record.id}`, events: `/api/v1/runs/${record.id}/events` },
  };
}
