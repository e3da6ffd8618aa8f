/**
 * A streaming parser of the WHATWG event stream format (HTML standard, "Server-sent events"). LF, CRLF and CR end a
 * line, even if a chunk ends between CR and LF. A byte order mark at the start is dropped, comments and unknown fields
 * are ignored, and an event without its empty line is not dispatched. Data is passed on as it arrives and no line is
 * held, because a line may be endless.
 */
export type EventSink = {
  /** Part of the data of the current event. Several data lines are joined with LF. */
  readonly data: (chunk: Uint8Array, from: number, to: number) => void;
  /** The event is complete. `name` is undefined if it is longer than any known name. */
  readonly dispatch: (name: string | undefined, dataBytes: number) => void;
};

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = [0xef, 0xbb, 0xbf];
const JOINT = Uint8Array.of(LF);
const LONGEST_NAME = 64;

export class EventStreamParser {
  readonly #sink: EventSink;
  #bomAt = 0;
  #afterCr = false;
  /** `field` up to the colon, then `space` for one byte, then `value`. */
  #part: "field" | "space" | "value" = "field";
  #field = "";
  #value = "";
  #lineBytes = 0;
  #name = "";
  #dataLines = 0;
  #dataBytes = 0;
  #largest = 0;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  /** Size of the largest line or event data so far, including incomplete ones. */
  get largest(): number {
    return Math.max(this.#largest, this.#lineBytes, this.#dataBytes);
  }

  /** Whether part of a line or an event has arrived that is not dispatched yet. */
  get pending(): boolean {
    return this.#lineBytes > 0 || this.#dataLines > 0 || this.#name !== "";
  }

  push(chunk: Uint8Array): void {
    let at = this.#skipBom(chunk);
    while (at < chunk.length) {
      const byte = chunk[at] ?? 0;
      if (byte === LF && this.#afterCr) {
        this.#afterCr = false;
        at += 1;
      } else if (byte === LF || byte === CR) {
        this.#afterCr = byte === CR;
        this.#endLine();
        at += 1;
      } else {
        this.#afterCr = false;
        at = this.#inLine(chunk, at);
      }
    }
  }

  /** A byte order mark may arrive in pieces. If it is none after all, its bytes start the first line. */
  #skipBom(chunk: Uint8Array): number {
    let at = 0;
    while (this.#bomAt < BOM.length && at < chunk.length) {
      if (chunk[at] !== BOM[this.#bomAt]) {
        const held = Uint8Array.from(BOM.slice(0, this.#bomAt));
        this.#bomAt = BOM.length;
        for (let from = 0; from < held.length; ) from = this.#inLine(held, from);
        break;
      }
      this.#bomAt += 1;
      at += 1;
    }
    return at;
  }

  /** Consumes bytes of the current line, up to its end or the end of the chunk. Returns where it stopped. */
  #inLine(chunk: Uint8Array, from: number): number {
    const byte = chunk[from] ?? 0;
    if (this.#part === "field") {
      this.#lineBytes += 1;
      if (byte === COLON) this.#part = "space";
      else if (this.#field.length <= LONGEST_NAME) this.#field += String.fromCharCode(byte);
      return from + 1;
    }
    if (this.#part === "space") {
      this.#part = "value";
      if (this.#field === "data") this.#startData();
      if (byte === SPACE) {
        this.#lineBytes += 1;
        return from + 1;
      }
    }
    const end = endOfRun(chunk, from);
    this.#takeValue(chunk, from, end);
    return end;
  }

  #startData(): void {
    if (this.#dataLines > 0) this.#giveData(JOINT, 0, JOINT.length);
    this.#dataLines += 1;
  }

  #giveData(chunk: Uint8Array, from: number, to: number): void {
    this.#dataBytes += to - from;
    this.#sink.data(chunk, from, to);
  }

  #takeValue(chunk: Uint8Array, from: number, to: number): void {
    this.#lineBytes += to - from;
    if (this.#field === "data") this.#giveData(chunk, from, to);
    else if (this.#field === "event" && this.#value.length <= LONGEST_NAME) {
      const end = Math.min(to, from + LONGEST_NAME + 1);
      this.#value += Buffer.from(chunk.subarray(from, end)).toString("latin1");
    }
  }

  #endLine(): void {
    if (this.#lineBytes === 0) this.#dispatch();
    else if (this.#field === "event") this.#name = this.#value;
    else if (this.#field === "data" && this.#part !== "value") this.#startData();
    this.#largest = this.largest;
    this.#part = "field";
    this.#field = "";
    this.#value = "";
    this.#lineBytes = 0;
  }

  /** By the standard, an event without a data line is not dispatched. */
  #dispatch(): void {
    const name = this.#name === "" ? "message" : this.#name;
    this.#largest = this.largest;
    if (this.#dataLines > 0) {
      this.#sink.dispatch(name.length > LONGEST_NAME ? undefined : name, this.#dataBytes);
    }
    this.#name = "";
    this.#dataLines = 0;
    this.#dataBytes = 0;
  }
}

function endOfRun(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== LF && chunk[at] !== CR) at += 1;
  return at;
}
