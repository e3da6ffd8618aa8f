/** Strict UTF-8 over chunks: overlong forms, surrogates and cut characters are not valid. */
export class Utf8Checker {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #valid = true;

  push(bytes: Uint8Array): void {
    if (this.#valid) this.#decode(bytes, true);
  }

  /** Of what came so far; a character may still be under way. */
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
