import type { RunRequest, TraceContext } from "@interlock/contracts";
import { Refused } from "./errors.ts";
import { createKeepalive, type Keepalive } from "./http/keepalive.ts";
import { type Admission, fingerprintOf, Repeats, scopedKey } from "./idempotency/repeats.ts";
import type { VerifiedCaller } from "./identity/caller.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Frame } from "./runs/answer.ts";
import { type Callers, createCallers } from "./runs/callers.ts";
import { Run } from "./runs/run.ts";
import { findTask, type Prepared, type Task } from "./runs/tasks.ts";
import type { AgentDefinition, AgentSettings } from "./types.ts";

const MIB = 1024 * 1024;

/** A run request: its body, and what its headers say. */
export type IncomingRun = {
  readonly request: RunRequest;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
  readonly trace: TraceContext;
  readonly idempotencyKey?: string;
  readonly caller?: VerifiedCaller;
};

/** The state of one agent: its tasks, the runs in progress, and whether it accepts more. */
export class Core {
  readonly metrics: Metrics = createMetrics();
  readonly callers: Callers = createCallers();
  readonly keepalive: Keepalive = createKeepalive(() => this.settings.keepaliveMs);
  readonly maxEventBytes: number;
  readonly maxBodyBytes: number;
  settings: AgentSettings;
  draining = false;
  readonly #tasks: ReadonlyMap<string, Task>;
  readonly #provenance: object;
  readonly #repeats: Repeats;
  #running = 0;

  constructor(card: AgentDefinition["card"], tasks: ReadonlyMap<string, Task>, settings: AgentSettings) {
    this.maxEventBytes = card.limits?.max_event_bytes ?? MIB;
    this.maxBodyBytes = card.limits?.max_body_bytes ?? MIB;
    this.settings = settings;
    this.#tasks = tasks;
    this.#provenance = { agent: card.name, version: card.version };
    this.#repeats = new Repeats(
      () => this.settings.idempotency,
      () => this.settings.log,
    );
  }

  /** @throws Refused if the agent does not have the task, or is draining */
  findTask(request: RunRequest): Task {
    if (this.draining) throw new Refused("UNAVAILABLE");
    return findTask(this.#tasks, request.task_type);
  }

  frameOf(prepared: Prepared): Frame {
    return { taskType: prepared.task.type, maxBytes: this.maxEventBytes };
  }

  /** Starts a run or, if the idempotency key was used before, returns the run of that key. */
  async admit(prepared: Prepared, incoming: IncomingRun): Promise<Admission> {
    const begin = (): Run => this.#begin(prepared, incoming);
    if (incoming.idempotencyKey === undefined) {
      const own = begin();
      return { outcome: own.outcome, leave: (code) => own.abort(code), own };
    }
    const key = scopedKey(prepared.task.type, incoming.idempotencyKey, incoming.caller);
    const fingerprint = fingerprintOf(incoming.request);
    const admission = await this.#repeats.admit({ key, fingerprint, frame: this.frameOf(prepared), begin });
    if (admission.own === undefined) this.metrics.repeated(prepared.task.type);
    return admission;
  }

  #begin(prepared: Prepared, { request, ...incoming }: IncomingRun): Run {
    if (this.#running >= this.settings.maxConcurrent) throw new Refused("OVERLOADED");
    const startedAt = performance.now();
    this.#running += 1;
    this.metrics.runStarted();
    const run = new Run({
      ...incoming,
      prepared,
      maxEventBytes: this.maxEventBytes,
      provenance: this.#provenance,
      log: this.settings.log,
    });
    void run.outcome.then((outcome) => {
      this.#running -= 1;
      this.metrics.runEnded(prepared.task.type, outcome, (performance.now() - startedAt) / 1000);
    });
    return run;
  }
}
