/** Streaming UTF-8 check. Overlong forms, surrogates and incomplete characters are invalid. */
export class Utf8Checker {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #valid = true;

  push(bytes: Uint8Array): void {
    if (this.#valid) this.#decode(bytes, true);
  }

  /** Whether everything so far is valid. The last character may be incomplete. */
  get valid(): boolean {
    return this.#valid;
  }

  end(): boolean {
    if (this.#valid) this.#decode(undefined, false);
    return this.#valid;
  }

  #decode(bytes: Uint8Array | undefined, stream: boolean): void {
    try {
      this.#decoder.decode(bytes, { stream });
    } catch {
      this.#valid = false;
    }
  }
}
