import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { Defect } from "./defect.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const FIELD = Buffer.from("data:");
const LINE_END = Buffer.from("\n");

export type LongLinesOptions = {
  /** Bytes of a line that is long. */
  from: number;
  /** Bytes of one that is too long. */
  most: number;
  /** Takes bytes as they are, and a line of data in the place of a long one. */
  feed: (bytes: Buffer) => void;
};

/**
 * Replaces long lines of data in an event stream by short, unguessable names, since the parser would join, search and copy such a line in
 * one turn of the event loop. {@link LongLines.restored} puts the lines back.
 */
export class LongLines {
  readonly #options: LongLinesOptions;
  /** The beginning of a line of data. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The parser has received the beginning of a line. */
  #isOpen = false;
  /** Without the field, by name. */
  readonly #lines = new Map<string, Buffer>();
  #lineBytes = 0;
  #prefix: string | undefined;

  constructor(options: LongLinesOptions) {
    this.#options = options;
  }

  /** @throws Defect event_too_large, invalid_utf8, and what the parser throws */
  push(chunk: Buffer): void {
    let from = 0;
    if (this.#heldBytes > 0) {
      from = firstLineEnd(chunk);
      if (from < 0) {
        this.#hold(chunk);
        return;
      }
      this.#complete(chunk.subarray(0, from));
    }
    const last = lastLineEnd(chunk);
    if (last >= from) {
      this.#options.feed(chunk.subarray(from, last + 1));
      this.#isOpen = false;
    }
    const rest = chunk.subarray(Math.max(from, last + 1));
    if (rest.length === 0) return;
    if (!this.#isOpen && FIELD.equals(rest.subarray(0, FIELD.length))) this.#hold(rest);
    else {
      this.#options.feed(rest);
      this.#isOpen = true;
    }
  }

  /** Passes on what the stream ended in. */
  end(): void {
    const rest = Buffer.concat(this.#held);
    if (rest.length > 0) this.#options.feed(rest);
  }

  /** The data of an event, with the long lines in it: then it stays bytes, in valid UTF-8. Each line is given once. */
  restored(data: string): string | Buffer {
    if (this.#lines.size === 0) return data;
    const [first, ...others] = data.split("\n").map((line) => this.#lines.get(line) ?? Buffer.from(line));
    this.#lines.clear();
    this.#lineBytes = 0;
    if (first === undefined || others.length === 0) return first ?? data;
    return Buffer.concat([first, ...others.flatMap((line) => [LINE_END, line])]);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes + this.#lineBytes > this.#options.most) throw new Defect("event_too_large");
  }

  /** @param tail the line's last bytes, without what ends it */
  #complete(tail: Buffer): void {
    const line = Buffer.concat([...this.#held, tail]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#options.feed(line.length < this.#options.from ? line : this.#named(line));
  }

  #named(line: Buffer): Buffer {
    if (!isUtf8(line)) throw new Defect("invalid_utf8");
    this.#lineBytes += line.length;
    if (this.#lineBytes > this.#options.most) throw new Defect("event_too_large");
    this.#prefix ??= randomUUID();
    const name = `${this.#prefix}-${this.#lines.size}`;
    const start = line[FIELD.length] === SPACE ? FIELD.length + 1 : FIELD.length;
    this.#lines.set(name, line.subarray(start));
    return Buffer.from(`data: ${name}`);
  }
}

function firstLineEnd(chunk: Buffer): number {
  const feed = chunk.indexOf(LINE_FEED);
  const before = feed < 0 ? chunk : chunk.subarray(0, feed);
  const carriageReturn = before.indexOf(CARRIAGE_RETURN);
  return carriageReturn < 0 ? feed : carriageReturn;
}

function lastLineEnd(chunk: Buffer): number {
  // Most chunks end with a line.
  if (chunk[chunk.length - 1] === LINE_FEED) return chunk.length - 1;
  return Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN));
}
