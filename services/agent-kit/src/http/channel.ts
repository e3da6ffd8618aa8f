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

export type OpenChannel = (res: Response, keeper: Keeper) => Channel;

export const syncChannel: OpenChannel = (res) => ({
  open: () => {},
  close: (answer) => sendJson(res, 200, answer),
});

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** JSON has no line break of its own, so that one data line holds it. */
const frame = (name: string, json: string): string => `event: ${name}\ndata: ${json}\n\n`;

class StreamChannel implements Channel, Kept {
  lastWriteAt = performance.now();
  blockedAt: number | undefined;
  readonly #res: Response;
  readonly #keeper: Keeper;

  constructor(res: Response, keeper: Keeper) {
    this.#res = res;
    this.#keeper = keeper;
  }

  open(started: string): void {
    if (this.#res.closed) return;
    this.#keeper.add(this);
    this.#res.once("close", () => this.#keeper.delete(this));
    this.#res.writeHead(200, STREAM_HEADERS);
    this.#res.write(frame("started", started));
  }

  readonly emit: Emit = (name, json) => {
    if (this.#res.closed) return undefined;
    this.lastWriteAt = performance.now();
    return this.#res.write(frame(name, json)) ? undefined : this.#drained();
  };

  close(answer: string): void {
    if (this.#res.closed) return;
    this.lastWriteAt = performance.now();
    this.#res.end(frame("final", answer));
    // A reader that is still behind keeps its place with the keeper until it has read all, or is dropped.
    if (this.#res.writableNeedDrain) this.blockedAt = this.lastWriteAt;
    else if (this.#res.writableFinished) this.#keeper.delete(this);
  }

  comment(): void {
    if (this.#res.writableEnded) return;
    this.lastWriteAt = performance.now();
    this.#res.write(": keepalive\n\n");
  }

  drop(): void {
    this.#res.destroy();
  }

  /** Resolves once the reader has caught up or gone. */
  #drained(): Promise<void> {
    this.blockedAt = performance.now();
    return new Promise((resolve) => {
      const done = (): void => {
        this.blockedAt = undefined;
        this.#res.off("drain", done);
        this.#res.off("close", done);
        resolve();
      };
      this.#res.on("drain", done);
      this.#res.on("close", done);
    });
  }
}

export const streamChannel: OpenChannel = (res, keeper) => new StreamChannel(res, keeper);
