import { setImmediate as immediate } from "node:timers/promises";
import { extendSummary, readSummary } from "../../language/index.ts";
import type { SessionMemory, SessionStore } from "../../store/index.ts";
import type { EndedTurn, Summarise } from "./model-summary.ts";
import { cutOf, turnsOf, type WholeTurn } from "./turns.ts";

export type MemoryDeps = {
  store: Pick<SessionStore, "memory" | "summarise">;
  /** Counts the tokens of texts; only asked where their bytes do not answer the question. */
  countTokens: (texts: readonly string[]) => Promise<number>;
  /** Summarises in a model's words; absent: summaries quote. */
  summarise?: Summarise | undefined;
  /** See Config. */
  limits: { maxContextTurns: number; memoryTokens: number; memoryKeepRecentTurns: number };
  /** Reports failures: the next turn's end tries again. */
  onTrouble: (where: string, error: unknown) => void;
};

/** Entries that are looked at together: a session that is older than its summary may have many. */
const ENTRIES_AT_ONCE = 200;

/**
 * Keeps conversations short: what is more than a model should read is summarised, after the turn and beside the caller's way. Of several
 * replicas that do it at once, the store lets one succeed.
 */
export class Memory {
  readonly #deps: MemoryDeps;
  readonly #waiting = new Set<string>();
  #work: Promise<void> = Promise.resolve();

  constructor(deps: MemoryDeps) {
    this.#deps = deps;
  }

  /** Says that a turn has ended. */
  afterTurn(turn: EndedTurn): void {
    const { keys, sessionId, rawTurns } = turn;
    // A turn has two entries or more, and the latest turns stay: with fewer there is nothing to summarise.
    if (rawTurns <= 2 * this.#deps.limits.memoryKeepRecentTurns) return;
    const key = keys.session(sessionId);
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    // One at a time: nobody waits for it.
    this.#work = this.#work.then(async () => {
      this.#waiting.delete(key);
      await this.#compact(turn).catch((error: unknown) => this.#deps.onTrouble("memory", error));
    });
  }

  /** Resolves when nothing is left to summarise. */
  async idle(): Promise<void> {
    await this.#work;
  }

  async #compact(turn: EndedTurn): Promise<void> {
    const { keys, sessionId } = turn;
    const { store, limits, summarise } = this.#deps;
    for (let more = true; more; ) {
      const memory = await store.memory(keys, sessionId, ENTRIES_AT_ONCE);
      if (!memory) return;
      more = memory.more;
      const turns = turnsOf(memory.entries);
      if (!more && !(await this.#isLong(turns, memory))) return;
      // Later entries than those that were read hold the latest turns; the last turn that was read may go on in them.
      const cut = cutOf(turns, more ? 1 : limits.memoryKeepRecentTurns, memory.active);
      if (cut === 0) return;
      const before = readSummary(memory.summary);
      let summary = before;
      const old = turns.filter(({ last }) => last < cut);
      for (const { user, answers } of old) {
        summary = extendSummary(summary, [{ user, answer: answers.join("\n") }]);
        // A turn takes a few milliseconds; between two of them the event loop is free.
        await immediate();
      }
      const text = summary && (await summarise?.({ before, turns: old, extract: summary.text }, turn));
      if (summary && text !== undefined) summary = { ...summary, text };
      const moved = await store.summarise(keys, sessionId, {
        from: memory.from,
        to: memory.from + cut,
        summary: JSON.stringify(summary),
      });
      // Somebody else was faster.
      if (!moved) return;
    }
  }

  async #isLong(turns: readonly WholeTurn[], { summary }: SessionMemory): Promise<boolean> {
    const { countTokens, limits } = this.#deps;
    if (turns.length > limits.maxContextTurns) return true;
    if (turns.length <= limits.memoryKeepRecentTurns) return false;
    const texts = turns.flatMap(({ user = "", answers }) => [user, ...answers]);
    texts.push(readSummary(summary)?.text ?? "");
    // A token is a byte at least.
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return bytes > limits.memoryTokens && (await countTokens(texts)) > limits.memoryTokens;
  }
}
