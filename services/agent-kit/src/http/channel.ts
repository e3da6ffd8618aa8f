import type { Response } from "express";
import type { Emit } from "../runs/run.ts";
import type { Keepalive, SilentStream } from "./keepalive.ts";
import { sendJson } from "./respond.ts";

/** How an answer is sent: as one JSON body, or as a stream of events. */
export type Channel = {
  /** `started` is the data of the first event. */
  open(started: string): void;
  readonly emit?: Emit;
  /** `answer` is the body, or the data of the terminal event. */
  close(answer: string): void;
};

export type ChannelParts = {
  readonly keepalive: Keepalive;
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
};

export type OpenChannel = (res: Response, parts: ChannelParts) => Channel;

export const syncChannel: OpenChannel = (res, { stallMs }) => ({
  open: () => {},
  close: (answer) => {
    res.setTimeout(stallMs);
    sendJson(res, 200, answer);
  },
});

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** JSON.stringify writes no line breaks, so one `data` line is enough. */
function frame(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}

class StreamChannel implements Channel, SilentStream {
  lastWriteAt = performance.now();
  readonly #res: Response;
  readonly #parts: ChannelParts;

  constructor(res: Response, parts: ChannelParts) {
    this.#res = res;
    this.#parts = parts;
  }

  open(started: string): void {
    if (this.#res.closed) return;
    this.#parts.keepalive.add(this);
    this.#res.once("close", () => this.#parts.keepalive.delete(this));
    this.#res.writeHead(200, STREAM_HEADERS);
    this.#res.write(frame("started", started));
  }

  readonly emit: Emit = (name, json) => {
    if (this.#res.closed || this.#res.writableEnded) return undefined;
    this.lastWriteAt = performance.now();
    return this.#res.write(frame(name, json)) ? undefined : this.#drained();
  };

  close(answer: string): void {
    if (this.#res.closed) return;
    this.#parts.keepalive.delete(this);
    this.#res.setTimeout(this.#parts.stallMs);
    this.#res.end(frame("final", answer));
  }

  /** Skipped while the client is behind: the stream is not silent then. */
  comment(): void {
    if (this.#res.closed || this.#res.writableNeedDrain) return;
    this.lastWriteAt = performance.now();
    this.#res.write(": keepalive\n\n");
  }

  /** Resolves once the client has caught up or disconnected. The socket's timeout disconnects one that reads nothing. */
  #drained(): Promise<void> {
    this.#res.setTimeout(this.#parts.stallMs);
    return new Promise((resolve) => {
      const done = (): void => {
        this.#res.off("drain", done);
        this.#res.off("close", done);
        this.#res.setTimeout(0);
        resolve();
      };
      this.#res.on("drain", done);
      this.#res.on("close", done);
    });
  }
}

export const streamChannel: OpenChannel = (res, parts) => new StreamChannel(res, parts);
