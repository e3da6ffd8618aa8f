/**
 * A canary is a random value in the inputs of requests that must fail. If it appears in an error body or a header, in
 * any encoding, the agent repeats inputs.
 */
export type Canary = {
  readonly key: string;
  readonly text: string;
  readonly number: number;
  /** The words to search for: the one in `key` and `text`, and the digits of `number`. */
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

/** Parsers quote about ten characters around a mistake, so a piece of this length is sufficient proof. */
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

/** The parts of a word's base64 that do not depend on its neighbours, one for each alignment. */
function base64Of(word: string): string[] {
  return [0, 1, 2].map((before) => {
    const coded = Buffer.from(`${"\0".repeat(before)}${word}`)
      .toString("base64")
      .replace(/=+$/, "");
    return coded.slice(before === 0 ? 0 : before + 1, -2);
  });
}

export type LeakSearch = (text: string) => string | undefined;

/** Returns the encoding in which the text contains the canary, or undefined. */
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

/** Number of bytes of one text that are searched. */
const LIMIT = 1024 * 1024;
const HELD = 16 * 1024;
/** Longer than the canary in its longest encoding. */
const OVERLAP = 1024;

/** Searches a body that arrives in chunks, up to a limit. Holds only the last few KiB. */
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
      // Not for every chunk, because a hostile body may arrive byte by byte.
      if (this.#bytes === HELD) this.#look();
    }
  }

  /** The encoding of the canary in what has arrived so far. */
  get found(): string | undefined {
    this.#look();
    return this.#found;
  }

  /** Starts the next text. */
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
