import { Connection } from "./http.ts";
import { readStream } from "./read-stream.ts";
import { conversation } from "./requests.ts";

/** Where the time of one plan run went. */
export type PlanTiming = {
  readonly wholeMs: number;
  /** By step, from the sending of the step to its agent to the agent's answer. */
  readonly stepsMs: Readonly<Record<string, number>>;
};

/** One run after the other, each read as a stream. */
export async function timePlans(url: string, message: string, runs: number): Promise<PlanTiming[]> {
  const connection = new Connection(url);
  const timings: PlanTiming[] = [];
  for (let run = 0; run < runs; run++) {
    const stepsMs: Record<string, number> = {};
    const since = performance.now();
    let last = "";
    const { status, over } = await readStream(connection, conversation(message, true), "gateway", {
      any: (frame) => {
        const node = /"node":"([^"]+)"/.exec(frame)?.[1];
        const took = /"duration_ms":([\d.]+)/.exec(frame)?.[1];
        if (node !== undefined && took !== undefined) stepsMs[node] = Number(took);
        last = frame;
      },
    });
    if (!over || last.includes('"error"'))
      throw new Error(`a plan run failed: ${status} ${last.slice(0, 300)}`);
    timings.push({ wholeMs: performance.now() - since, stepsMs });
  }
  connection.close();
  return timings;
}
