/** Maximum number of headers, more than a replica has runs under way; the oldest is dropped first. */
const MOST = 10_000;

/**
 * The `Authorization` headers that runs of this replica were started with, for remote gateways that get the caller's own token. They are in
 * this memory and nowhere else: a run that goes on at another replica has none.
 */
export class Bearers {
  readonly #headers = new Map<string, string>();

  /** @param header empty where the request had none */
  keep(runId: string, header: string): void {
    this.#headers.set(runId, header);
    const [oldest] = this.#headers.keys();
    if (this.#headers.size > MOST && oldest !== undefined) this.#headers.delete(oldest);
  }

  of(runId: string): string | undefined {
    return this.#headers.get(runId);
  }

  forget(runId: string): void {
    this.#headers.delete(runId);
  }
}
