/** Longer texts are seen as strings whose text is unknown: no id of ours is that long. */
const LONGEST_TEXT = 512;

/** Holds the raw bytes of one JSON string, where its text is wanted and not too long. */
export class TextCapture {
  readonly #bytes = Buffer.alloc(LONGEST_TEXT + 1);
  #length = 0;
  #isWanted = false;
  #isPlain = true;

  start(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.#length = 0;
    this.#isPlain = true;
  }

  keep(byte: number): void {
    if (this.#isWanted && this.#length <= LONGEST_TEXT) this.#bytes[this.#length++] = byte;
  }

  keepEscape(byte: number): void {
    this.#isPlain = false;
    this.keep(byte);
  }

  /** The text, its escapes resolved. The string must have been well formed. */
  end(): string | undefined {
    if (!this.#isWanted || this.#length > LONGEST_TEXT) return undefined;
    const raw = this.#bytes.toString("utf8", 0, this.#length);
    return this.#isPlain ? raw : String(JSON.parse(`"${raw}"`));
  }
}
