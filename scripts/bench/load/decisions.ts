import { localToken } from "../../lib/local-issuer.ts";
import { forEach, within } from "./drive.ts";
import { spreadOf } from "./figures.ts";
import { Connection, type Request } from "./http.ts";
import { approve, gated, nextId } from "./requests.ts";

export type DecisionsOptions = {
  readonly url: string;
  readonly worker: string;
  readonly runs: number;
  readonly concurrency: number;
};

type Run = { readonly mark: string; id: string; approvedAt: number };

const PATIENCE_MS = 30_000;

/** The agent reads the same clock. */
const now = () => performance.timeOrigin + performance.now();

/** Pauses runs, then approves them all. A run counts as resumed when the agent receives its step, not when the gateway answers. */
export async function runDecisions(options: DecisionsOptions) {
  const { url, worker, runs: count, concurrency } = options;
  const runs: Run[] = Array.from({ length: count }, () => ({ mark: nextId(), id: "", approvedAt: 0 }));
  const token = await localToken({ user: "decider", roles: ["operator", "pricing_approver"] });
  const idle: Connection[] = [];
  const call = async (request: Request) => {
    const connection = idle.pop() ?? new Connection(url);
    const { status, text } = await connection.exchange(request);
    if (status !== 200) throw new Error(`a decision failed: ${status} ${text.slice(0, 300)}`);
    idle.push(connection);
    return text;
  };
  const arrivals = await watchArrivals(worker);
  try {
    const pauseMs: number[] = [];
    const began = now();
    await forEach(runs, concurrency, async (run) => {
      const since = now();
      const text = await call(gated(run.mark, token));
      const id = /"thread_id":"([^"]+)"/.exec(text)?.[1];
      if (id === undefined || !text.includes('"status":"paused"'))
        throw new Error(`a run did not pause: ${text.slice(0, 300)}`);
      run.id = id;
      pauseMs.push(now() - since);
    });
    const pausedMs = now() - began;
    if (arrivals.count() > 0) throw new Error("a step ran before its approval");

    const approving = now();
    await forEach(runs, concurrency, async (run) => {
      run.approvedAt = now();
      await call(approve(run.id, token));
      if (concurrency === 1) await arrivals.of(run.mark);
    });
    const arrived = await Promise.all(runs.map(({ mark }) => arrivals.of(mark)));
    return {
      /** From the ask to the answer that the run is paused. */
      pauses: { perS: (count * 1000) / pausedMs, ms: spreadOf(pauseMs) },
      /** From sending the approval to the arrival of the approved step at the agent. */
      resumes: {
        perS: (count * 1000) / (Math.max(...arrived) - approving),
        ms: spreadOf(arrived.map((at, index) => at - (runs[index]?.approvedAt ?? 0))),
      },
    };
  } finally {
    arrivals.close();
    for (const connection of idle) connection.close();
  }
}

/** Subscribes to the agent's list of the marked runs that reach it. */
async function watchArrivals(worker: string) {
  const connection = new Connection(worker);
  const arrivals = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  const watching = Promise.withResolvers<void>();
  let rest = "";
  const read = (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [mark = "", at] = line.split(" ");
      if (at === undefined) watching.resolve();
      else {
        arrivals.set(mark, Number(at));
        waiting.get(mark)?.(Number(at));
      }
    }
  };
  connection.send({ path: "/arrivals", method: "GET" }, read).catch(watching.reject);
  await watching.promise;
  return {
    count: () => arrivals.size,
    /** Resolves with the time of the run's arrival. */
    async of(mark: string): Promise<number> {
      const at = arrivals.get(mark);
      if (at !== undefined) return at;
      return within(PATIENCE_MS, new Promise<number>((resolve) => waiting.set(mark, resolve)));
    },
    close: () => connection.close(),
  };
}
