import { setTimeout as delay } from "node:timers/promises";
import { TestEnvironment } from "jest-environment-node";

/**
 * How long timers, sockets and processes may outlive the last test of a file: longer than BullMQ watches a blocking read whose node of a
 * cluster has died, 11 s, and than a request of the MCP library that was cut, 60 s.
 */
const GRACE_MS = 65_000;

/** A shorter grace (ms), for a file that is known to leave something behind. */
const graceMs = Number(process.env.TEST_GRACE_MS ?? GRACE_MS);

/** Jest's environment for Node, which fails a test file that leaves behind something that would keep its process from ending. */
export default class CleanEnvironment extends TestEnvironment {
  #before: readonly string[] = [];

  override async setup(): Promise<void> {
    await super.setup();
    // Node opens a standard stream when it is first read, as it is here, and not only in some test.
    void [process.stdin, process.stdout, process.stderr];
    this.#before = process.getActiveResourcesInfo();
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    // In jest's own process, where `--runInBand` puts the tests, timers of jest come and go.
    if (!process.connected) return;
    const deadline = performance.now() + graceMs;
    let left = this.#left();
    while (left.length > 0 && performance.now() < deadline) {
      await delay(20, undefined, { ref: false });
      left = this.#left();
    }
    if (left.length > 0) throw new Error(`these tests leave behind: ${left.join(", ")}`);
  }

  /** What is active now and was not when the file began, as Node names it. */
  #left(): string[] {
    const left = process.getActiveResourcesInfo();
    for (const kind of this.#before) {
      const at = left.indexOf(kind);
      if (at >= 0) left.splice(at, 1);
    }
    return left.toSorted();
  }
}
