import { setTimeout as delay } from "node:timers/promises";
import { type Counting, drive } from "./drive.ts";
import { spreadOf } from "./figures.ts";
import { Connection } from "./http.ts";
import type { Question } from "./requests.ts";

export type AsksOptions = {
  /** The callers are spread over these. */
  readonly urls: readonly string[];
  readonly concurrency: number;
  readonly question: Question;
  /** Pause of each caller between an answer and its next ask. */
  readonly pauseMs?: number;
};

/** Closed loop: each caller asks again as soon as it has its answer. */
export async function runAsks(options: AsksOptions, counting: Counting) {
  const { urls, concurrency, question, pauseMs = 0 } = options;
  const ms: number[] = [];
  const counted = await drive({
    counting,
    clients: concurrency,
    async client(phase, index) {
      const connection = new Connection(urls[index % urls.length] ?? "");
      while (phase() !== "over") {
        const since = performance.now();
        const { status, text } = await connection.exchange(question.ask());
        if (status !== 200 || !question.isAnswer(text))
          throw new Error(`an ask failed: ${status} ${text.slice(0, 300)}`);
        if (phase() === "counting") ms.push(performance.now() - since);
        if (pauseMs > 0) await delay(pauseMs);
      }
      connection.close();
    },
  });
  return {
    ...counted,
    answered: ms.length,
    perS: ms.length / counted.seconds,
    /** From the ask to its complete answer. */
    ms: spreadOf(ms),
  };
}
