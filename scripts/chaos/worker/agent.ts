import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, createAgent, type TaskContext, type TaskRequest } from "@interlock/agent-kit";
import type { EffectLedger } from "./effect-ledger.ts";

type Timing = { ms: number; beats?: number };

const TIMING = {
  type: "object",
  required: ["ms"],
  additionalProperties: false,
  properties: { ms: { type: "number", minimum: 0 }, beats: { type: "integer", minimum: 0 } },
};

/** Tasks that a worker computes at once. */
const CORES = 4;

/** An agent whose tasks take as long as their inputs say, and record what they did. */
export function createWorker(ledger: EffectLedger): Agent {
  const cores = new Cores(CORES);
  return createAgent({
    card: { name: "chaos-worker", version: "1.0.0" },
    tasks: {
      WORK: {
        inputs: TIMING,
        outputs: { type: "object", required: ["beats"] },
        async *run(request: TaskRequest<Timing>, context: TaskContext) {
          const { ms, beats = 0 } = request.inputs;
          const done = watchAbort(request, context, ledger);
          for (let beat = 1; beat <= beats; beat++) {
            await sleep(ms / (beats + 1), undefined, { signal: context.signal });
            yield { type: "progress", message: `beat ${beat} – ♥`, completed: beat, total: beats };
            yield { type: "token", text: `b${beat} ` };
          }
          await sleep(ms / (beats + 1), undefined, { signal: context.signal });
          done();
          return { beats, prices: { std: 10 + beats } };
        },
      },
      // As on a machine of its own: what does not find a core waits for one, and this machine has its cores for the mesh.
      COMPUTE: {
        inputs: TIMING,
        outputs: { type: "object", required: ["beats"] },
        async *run({ inputs: { ms } }: TaskRequest<Timing>, { signal }: TaskContext) {
          await cores.take(signal);
          try {
            await sleep(ms, undefined, { signal });
          } finally {
            cores.give();
          }
          yield { type: "token", text: "computed" };
          return { beats: 0 };
        },
      },
      APPLY: {
        inputs: TIMING,
        outputs: { type: "object", required: ["applied"] },
        async *run(request: TaskRequest<Timing>, context: TaskContext) {
          const { workflow_id = "", stage_id = "", inputs } = request;
          const done = watchAbort(request, context, ledger);
          await sleep(inputs.ms / 2, undefined, { signal: context.signal });
          yield { type: "progress", message: "about to apply" };
          context.signal.throwIfAborted();
          const applied = await ledger.apply(context.idempotencyKey ?? "", `${workflow_id}:${stage_id}`);
          // Ends some time after its effect, so that a fault in between leaves an effect without an answer.
          await sleep(inputs.ms / 2, undefined, { signal: context.signal });
          done();
          return { applied };
        },
      },
    },
  });
}

class Cores {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  async take(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  give(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#free++;
  }
}

/** Records that the task began, and when it is aborted or ends. @returns a function to call when the task has ended by itself */
function watchAbort(
  { workflow_id = "", stage_id = "" }: TaskRequest<Timing>,
  { signal }: TaskContext,
  ledger: EffectLedger,
): () => void {
  const runStep = `${workflow_id}:${stage_id}`;
  const note = () => ledger.note("aborted", runStep);
  ledger.note("begun", runStep);
  if (signal.aborted) note();
  else signal.addEventListener("abort", note, { once: true });
  return () => {
    signal.removeEventListener("abort", note);
    ledger.note("ended", runStep);
  };
}
