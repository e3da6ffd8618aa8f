import { connect, type Socket } from "node:net";
import type { Faults } from "./faults.ts";

type Target = { host: string; port: number };

/** One connection through the proxy. Data stays in order, whatever the delay. */
export class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #faults: Faults;
  readonly #onClose: () => void;
  /** What the client has sent since the last reply. */
  #request: Buffer[] = [];
  #replied = false;
  /** No data passes any more, but the connection stays open. */
  #silent = false;
  #cut: { left: number; forwarded: Buffer[]; done: (forwarded: Buffer) => void } | undefined;
  #closed = false;

  constructor(client: Socket, target: Target, faults: Faults, onClose: () => void) {
    this.#client = client;
    this.#faults = faults;
    this.#onClose = onClose;
    this.#server = connect({ ...target, noDelay: true });
    client.setNoDelay(true);
    const toServer = orderly(this.#server, faults);
    const toClient = orderly(client, faults);
    client.on("data", (chunk: Buffer) => {
      this.#noteRequest(chunk);
      if (!this.#isSilent()) toServer(chunk, client);
    });
    this.#server.on("data", (chunk: Buffer) => {
      if (this.#isSilent() || this.#dropsReply()) return;
      this.#replied = true;
      const passed = this.#cutReply(chunk);
      if (passed) toClient(passed, this.#server);
    });
    for (const [from, to] of [
      [client, this.#server],
      [this.#server, client],
    ] as const) {
      from.on("error", () => this.close());
      // Delayed like the data, so that the end arrives after it.
      from.on("end", () => (this.#isSilent() ? undefined : setTimeout(() => to.end(), faults.delayMs)));
      from.on("close", () => this.#settle());
    }
  }

  /** Makes the connection half-open: it looks alive, but no data passes. */
  silence(): void {
    this.#silent = true;
  }

  /** Resets both sides, as a crash does. */
  close(): void {
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
    this.#settle();
  }

  #settle(): void {
    if (this.#closed || !(this.#client.destroyed || this.#server.destroyed)) return;
    this.#closed = true;
    this.#client.destroy();
    this.#server.destroy();
    this.#cut?.done(Buffer.concat(this.#cut.forwarded));
    this.#cut = undefined;
    this.#onClose();
  }

  #isSilent(): boolean {
    return this.#silent || this.#faults.hole;
  }

  #noteRequest(chunk: Buffer): void {
    if (this.#replied) this.#request = [];
    this.#replied = false;
    // Matching needs only the beginning of a request.
    if (this.#request.length < 4) this.#request.push(chunk);
    const { replyCut } = this.#faults;
    if (replyCut && !this.#cut && replyCut.when(Buffer.concat(this.#request))) {
      this.#faults.replyCut = undefined;
      this.#cut = { left: replyCut.after, forwarded: [], done: replyCut.done };
    }
  }

  /** Resets the connection instead of forwarding the reply, if one is to be dropped. */
  #dropsReply(): boolean {
    const { replyDrop } = this.#faults;
    if (!replyDrop || this.#replied || !replyDrop.when(Buffer.concat(this.#request))) return false;
    this.#faults.replyDrop = undefined;
    this.close();
    replyDrop.done();
    return true;
  }

  /** @returns the part of the chunk to forward */
  #cutReply(chunk: Buffer): Buffer | undefined {
    const cut = this.#cut;
    if (!cut) return chunk;
    const passed = chunk.subarray(0, cut.left);
    cut.left -= passed.length;
    cut.forwarded.push(passed);
    if (passed.length === chunk.length) return chunk;
    this.#cut = undefined;
    this.#server.destroy();
    this.#client.end(passed);
    cut.done(Buffer.concat(cut.forwarded));
    return undefined;
  }
}

/** Writes chunks in order, after the delay in force when they arrive, and pauses the source while the sink is full. */
function orderly(to: Socket, faults: Faults): (chunk: Buffer, from: Socket) => void {
  const waiting: Buffer[] = [];
  const write = (chunk: Buffer, from: Socket): void => {
    if (to.destroyed || to.write(chunk)) return;
    from.pause();
    to.once("drain", () => from.resume());
  };
  return (chunk, from) => {
    if (faults.delayMs === 0 && waiting.length === 0) {
      write(chunk, from);
      return;
    }
    waiting.push(chunk);
    setTimeout(() => {
      const next = waiting.shift();
      if (next) write(next, from);
    }, faults.delayMs);
  };
}
