import type { Response } from "express";
import type { Emit } from "../runs/run.ts";
import type { Keeper, Kept } from "./keepalive.ts";
import { sendJson } from "./respond.ts";

/** How an answer reaches the caller: whole, or event by event. */
export type Channel = {
  /** `started` is the data of the first event. */
  open(started: string): void;
  readonly emit?: Emit;
  /** `answer` is the body, or the data of the terminal event. */
  close(answer: string): void;
};

export type ChannelParts = {
  readonly keeper: Keeper;
  /** A reader that takes nothing for so long is dropped. */
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

/** JSON has no line break of its own, so that one data line holds it. */
function frame(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}

class StreamChannel implements Channel, Kept {
  lastWriteAt = performance.now();
  readonly #res: Response;
  readonly #parts: ChannelParts;

  constructor(res: Response, parts: ChannelParts) {
    this.#res = res;
    this.#parts = parts;
  }

  open(started: string): void {
    if (this.#res.closed) return;
    this.#parts.keeper.add(this);
    this.#res.once("close", () => this.#parts.keeper.delete(this));
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
    this.#parts.keeper.delete(this);
    this.#res.setTimeout(this.#parts.stallMs);
    this.#res.end(frame("final", answer));
  }

  /** Nothing is added for a reader that is behind: it has enough to read. */
  comment(): void {
    if (this.#res.closed || this.#res.writableNeedDrain) return;
    this.lastWriteAt = performance.now();
    this.#res.write(": keepalive\n\n");
  }

  /** Resolves once the reader has caught up or gone. The socket's own timer sees whether it takes anything. */
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
