/**
 * A canary is a value that occurs nowhere else. It travels in the inputs of requests that must fail; an error body
 * or a header that holds it, in whatever coding, shows that the agent repeats inputs.
 */
export type Canary = {
  readonly key: string;
  readonly text: string;
  readonly number: number;
  /** The words to search for: the first is inside `key` and `text`, the second are the digits of `number`. */
  readonly words: readonly string[];
};

const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

export function newCanary(random: (below: number) => number): Canary {
  const pick = (length: number, from: string): string =>
    Array.from({ length }, () => from.charAt(random(from.length))).join("");
  const word = `K${pick(23, ALPHABET)}`;
  const digits = `${1 + random(8)}${pick(14, "0123456789")}`;
  return { key: `k_${word}`, text: `${word} "é'<&>/+`, number: Number(digits), words: [word, digits] };
}

/** Parsers quote some ten characters around a mistake: a piece of this length is proof enough. */
const PIECE = { text: 8, digits: 11 };

function piecesOf(word: string): string[] {
  const length = /^\d+$/.test(word) ? PIECE.digits : PIECE.text;
  const starts = Array.from({ length: word.length - length + 1 }, (_, at) => at);
  return starts.map((at) => word.slice(at, at + length).toLowerCase());
}

function fromHex(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
const decodings: readonly ((text: string) => string)[] = [
  (text) => text.replace(/\\+u\{?([0-9a-f]{2,6})\}?/gi, fromHex).replace(/\\+x([0-9a-f]{2})/gi, fromHex),
  (text) => text.replace(/%([0-9a-f]{2})/gi, fromHex),
  (text) =>
    text
      .replace(/&#x([0-9a-f]{2,6});/gi, fromHex)
      .replace(/&#(\d{2,7});/g, (_, code: string) => String.fromCharCode(Number(code))),
];

/** The parts of a word's base64 that do not depend on what stands around it, one for each alignment. */
function base64Of(word: string): string[] {
  return [0, 1, 2].map((before) => {
    const coded = Buffer.from(`${"\0".repeat(before)}${word}`)
      .toString("base64")
      .replace(/=+$/, "");
    return coded.slice(before === 0 ? 0 : before + 1, -2);
  });
}

export type LeakSearch = (text: string) => string | undefined;

/** Answers how the canary is written in a text, in plain words, or undefined when it is not there. */
export function leakSearch({ words }: Canary): LeakSearch {
  const pieces = words.flatMap(piecesOf);
  const base64 = words.flatMap(base64Of);
  const hex = words.map((word) => Buffer.from(word).toString("hex"));
  const holds = (text: string): boolean => {
    const lower = text.toLowerCase();
    return pieces.some((piece) => lower.includes(piece));
  };
  return (text) => {
    if (holds(text)) return "plain";
    const once = decodings.reduce((read, decode) => decode(read), text);
    if (once !== text && holds(once)) return "escaped";
    if (once !== text && holds(decodings.reduce((read, decode) => decode(read), once)))
      return "escaped twice";
    if (base64.some((coded) => once.includes(coded))) return "base64";
    const lower = once.toLowerCase().replace(/[\s:]/g, "");
    return hex.some((coded) => lower.includes(coded)) ? "hexadecimal" : undefined;
  };
}

/** How much of one text is searched. */
const LIMIT = 1024 * 1024;
const HELD = 16 * 1024;
/** Longer than the canary in its longest coding. */
const OVERLAP = 1024;

/** The same over a body that comes in chunks, up to a limit; it holds no more than the last few KiB of what came. */
export class LeakScanner {
  readonly #search: LeakSearch;
  readonly #held = Buffer.alloc(HELD);
  #bytes = 0;
  #left = LIMIT;
  #found: string | undefined;

  constructor(search: LeakSearch) {
    this.#search = search;
  }

  push(chunk: Uint8Array, from = 0, to = chunk.length): void {
    for (let at = from; at < to && this.#found === undefined && this.#left > 0; ) {
      const taken = Math.min(to - at, HELD - this.#bytes);
      this.#held.set(chunk.subarray(at, at + taken), this.#bytes);
      this.#bytes += taken;
      this.#left -= taken;
      at += taken;
      // Not for each piece: a hostile body comes byte by byte.
      if (this.#bytes === HELD) this.#look();
    }
  }

  /** How the canary is written in what came so far. */
  get found(): string | undefined {
    this.#look();
    return this.#found;
  }

  /** Another text begins. */
  reset(): void {
    this.#bytes = 0;
    this.#left = LIMIT;
    this.#found = undefined;
  }

  #look(): void {
    this.#found ??= this.#search(this.#held.toString("latin1", 0, this.#bytes));
    const kept = Math.min(this.#bytes, OVERLAP);
    this.#held.copyWithin(0, this.#bytes - kept, this.#bytes);
    this.#bytes = kept;
  }
}
