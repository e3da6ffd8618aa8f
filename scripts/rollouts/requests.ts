import { randomUUID } from "node:crypto";
import type { Asker, Reply } from "./asker.ts";

const MOST_UNDER_WAY = 300;

/**
 * So many a second, whether earlier ones are answered or not: a mesh that slows down gets no less. A machine that cannot carry it would
 * only measure itself: of those that would be the 301st under way, none is sent.
 */
export class Requests {
  readonly #asker: Asker;
  readonly #timer: NodeJS.Timeout;
  readonly #underWay = new Set<Promise<void>>();
  readonly #begun: number;
  #due = 0;
  #sent = 0;
  #lastRun = "";
  #longestMs = 0;
  readonly failures: string[] = [];

  constructor(asker: Asker, perS: number) {
    this.#asker = asker;
    const begun = performance.now();
    this.#timer = setInterval(() => {
      for (const due = ((performance.now() - begun) / 1_000) * perS; this.#due < due; this.#due++)
        if (this.#underWay.size < MOST_UNDER_WAY) this.#next();
    }, 10);
    this.#begun = begun;
  }

  async stop(): Promise<string> {
    clearInterval(this.#timer);
    const perS = Math.round((this.#sent * 1_000) / (performance.now() - this.#begun));
    await Promise.all(this.#underWay);
    return `${this.#sent} requests, ${perS} a second, the slowest in ${Math.round(this.#longestMs)} ms`;
  }

  #next(): void {
    const n = this.#sent++;
    const [name, send, expected] = this.#kind(n % 10);
    const since = performance.now();
    const sent = send().then(({ status, body }) => {
      this.#longestMs = Math.max(this.#longestMs, performance.now() - since);
      if (status !== expected)
        this.failures.push(`${name} was answered with ${status} ${body.code ?? body.error ?? ""}`);
      if (typeof body.run_id === "string") this.#lastRun = body.run_id;
      this.#underWay.delete(sent);
    });
    this.#underWay.add(sent);
  }

  /** Six asks, one plan that is started, and three that only look. */
  #kind(turn: number): [name: string, send: () => Promise<Reply>, expected: number] {
    const session_id = randomUUID();
    if (turn < 6) {
      const body = { session_id, message: "work", inputs: { ms: 5 } };
      return ["an ask", () => this.#asker.post("/chat", body), 200];
    }
    if (turn === 6 || this.#lastRun === "") {
      const body = { session_id, flow: "change", inputs: { ms: 20, gate: false } };
      return ["a plan", () => this.#asker.post("/runs", body), 202];
    }
    if (turn === 7) return ["a list", () => this.#asker.get("/runs?limit=10"), 200];
    return ["a run", () => this.#asker.get(`/runs/${this.#lastRun}`), 200];
  }
}
