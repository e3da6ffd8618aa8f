import { setTimeout as sleep } from "node:timers/promises";
import type { LogEvent } from "@interlock/contracts";
import {
  brokenRemote,
  RemoteError,
  type RemoteEvent,
  type RemoteStream,
  truncatedRemote,
} from "../agents/index.ts";
import { mirroredApproval, mirroredApprovalId } from "../approvals/index.ts";
import { principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { isRest, type StoredEvent } from "../events/index.ts";
import type { RemoteService } from "../mesh/index.ts";
import type { Journal, RunOrder, RunStore } from "../store/index.ts";
import { assistantTurn, turnOfEnd } from "./endings.ts";
import type { LiveRun } from "./live-run.ts";
import { isOver, type Mirrored, type Remotes } from "./remotes.ts";

export type MirrorDeps = { remotes: Remotes; store: Pick<RunStore, "find"> };

/** Upper bounds of the pauses between two connections. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Attempts to start a run that certainly has not been started. */
const START_TRIES = 3;

/** How long a stream may stay open after the run's last event. */
const CLOSE_MS = 5_000;

/** How long to keep asking for the id of a run that nobody follows any more. */
const FIND_MS = 5_000;

const END_STATES = { run_finished: "finished", run_failed: "failed", run_cancelled: "cancelled" } as const;

/**
 * Copies the events of a run of another gateway to the log of a run here, unchanged but for ids. Both logs have the same sequence numbers,
 * so a new holder asks for the events after the last one here. A lost connection is opened again until the service's timeout.
 */
export class Mirror {
  readonly #run: LiveRun;
  readonly #about: Mirrored;
  readonly #deps: MirrorDeps;
  /** Whether the store has the id of the remote run. */
  #noted: boolean;
  #remoteRun: string | undefined;
  #mayHaveBegun = false;
  /** Why there is currently no connection. */
  #trouble: RemoteError | undefined;

  constructor(
    { run, order, journal }: { run: LiveRun; order: RunOrder; journal: Pick<Journal, "remote"> },
    service: RemoteService,
    deps: MirrorDeps,
  ) {
    this.#run = run;
    this.#deps = deps;
    this.#about = {
      id: run.id,
      tenant: run.keys.tenant,
      sessionId: run.sessionId,
      service,
      order,
      trace: run.trace,
    };
    this.#remoteRun = journal.remote;
    this.#noted = journal.remote !== undefined;
  }

  /** @returns the outcome, for log and metrics @throws GatewayError: the run has to be ended here */
  async toRest(): Promise<string> {
    const { signal, abort } = this.#run;
    const { timeoutMs } = this.#about.service.target;
    const inTime = () => abort.abort(this.#trouble ?? new GatewayError("deadline_exceeded"));
    const timeout = setTimeout(inTime, timeoutMs);
    try {
      for (let failures = 1; ; failures++) {
        const before = this.#run.seq;
        try {
          return await this.#follow();
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof RemoteError)) throw error;
          if (this.#run.seq > before) failures = 1;
          const lasting = this.#lasting(error, failures);
          if (lasting) throw lasting;
          this.#trouble = error;
          await sleep(pauseAfter(error, failures), undefined, { signal }).catch(() => undefined);
          signal.throwIfAborted();
        }
      }
    } finally {
      clearTimeout(timeout);
    }
  }

  /**
   * Cancels the run there once this one is not followed any more: it failed here, or was cancelled. Where another replica holds this one,
   * it goes on.
   */
  async leave(): Promise<void> {
    try {
      const record = await this.#deps.store.find(this.#run.keys, this.#run.id);
      if (!isOver(record?.state)) return;
      if (this.#remoteRun === undefined && this.#mayHaveBegun) {
        // The response with the run's id was lost. Repeating the request with the same key returns the same run.
        const stream = await this.#deps.remotes.start(this.#about, AbortSignal.timeout(FIND_MS));
        this.#remoteRun = stream.runId;
        stream.close();
      }
      if (this.#remoteRun !== undefined) await this.#deps.remotes.leave(this.#about, this.#remoteRun);
    } catch {
      // There is no one to report the failure to.
    }
  }

  /** One connection. @throws RemoteError where it ends before the run rests */
  async #follow(): Promise<string> {
    const stream = await this.#open();
    for await (const remote of stream.events) {
      // A run that was started before begins with what is here already.
      if (remote.seq <= this.#run.seq) continue;
      this.#trouble = undefined;
      if (!this.#noted) this.#run.noteRemote(stream.runId);
      this.#noted = true;
      const event = mirroredEvent(this.#run.id, remote);
      const rest = remote.event && isRest(remote) ? await this.#rest(event, remote.event, stream) : undefined;
      if (rest !== undefined) return rest;
      const behind = this.#run.mirror(event);
      if (behind) await behind;
      this.#run.signal.throwIfAborted();
    }
    throw truncatedRemote();
  }

  async #open(): Promise<RemoteStream> {
    const { remotes } = this.#deps;
    const { signal, seq } = this.#run;
    signal.throwIfAborted();
    if (this.#remoteRun !== undefined) return await remotes.follow(this.#about, this.#remoteRun, seq, signal);
    this.#mayHaveBegun = true;
    const stream = await remotes.start(this.#about, signal);
    this.#remoteRun = stream.runId;
    return stream;
  }

  /** Ends or pauses this run as the remote run did. */
  async #rest(event: StoredEvent, remote: LogEvent, stream: RemoteStream): Promise<string | undefined> {
    const run = this.#run;
    switch (remote.type) {
      case "run_paused": {
        const { service, order } = this.#about;
        const { approval, message } = remote.data;
        const id = mirroredApprovalId(run.id, approval.id);
        const asked = mirroredApproval({
          id,
          run,
          service: service.name,
          step: remote.node,
          requestedBy: order.subject,
          owner: principalOf(order),
          sample: remote.data.sample,
          asked: approval,
          remoteRun: stream.runId,
        });
        const turn = assistantTurn(run, message.replaceAll(approval.id, id), "paused");
        run.mirrorRest(event, { state: "paused", turn: JSON.stringify(turn), approval: asked });
        return "paused";
      }
      case "run_parked": {
        const turn = assistantTurn(run, remote.data.message, "error");
        run.mirrorRest(event, { state: "needs_review", turn: JSON.stringify(turn) });
        return "needs_review";
      }
      case "run_finished":
      case "run_failed":
      case "run_cancelled": {
        await lastOf(stream);
        run.signal.throwIfAborted();
        const turn = JSON.stringify(turnOfEnd(run, remote));
        run.mirrorRest(event, { state: END_STATES[remote.type], terminal: event.json, turn });
        return remote.type === "run_failed" ? remote.data.code : remote.data.status;
      }
      default:
        return undefined;
    }
  }

  /** The error with which to end this run; undefined to try again. */
  #lasting(error: RemoteError, failures: number): RemoteError | undefined {
    if (this.#remoteRun !== undefined) {
      const waits = error.passing || error.code === "rate_limited" || error.code === "quota_exceeded";
      return waits ? undefined : lostThere(error);
    }
    // Once the request may have been taken, only the run itself can say what became of it.
    if (!error.sent && !this.#trouble?.sent) this.#mayHaveBegun = false;
    if (error.passing && this.#mayHaveBegun) return undefined;
    return error.passing && failures < START_TRIES ? undefined : error;
  }
}

/** A started run cannot be refused, so a refusal means that the other gateway no longer knows the run, or the caller. */
function lostThere(error: RemoteError): RemoteError {
  if (error.code === "upstream_invalid") return error;
  return new RemoteError("upstream_failed", {
    reason: error.reason,
    message: "The remote gateway does not give out the run any more.",
    passing: false,
    sent: true,
    cause: error,
  });
}

function pauseAfter({ retryAfterS = 0 }: RemoteError, failures: number): number {
  const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return retryAfterS * 1_000 + Math.random() * bound;
}

/** Nothing may follow the event that ends a run. */
async function lastOf({ events, close }: RemoteStream): Promise<void> {
  const read = new AbortController();
  try {
    const next = await Promise.race([
      events.next(),
      sleep(CLOSE_MS, undefined, { signal: read.signal, ref: false }),
    ]);
    if (next && !next.done) throw brokenRemote("after_terminal");
  } finally {
    read.abort();
    // Whoever leaves the events of a stream that stays open would wait for the next one.
    close();
  }
}

/** The event as the log here has it: other ids, and everything else byte for byte. */
export function mirroredEvent(runId: string, { seq, type, rest, event }: RemoteEvent): StoredEvent {
  const data = event && dataWithOwnApproval(runId, event);
  // Parsing and writing keeps the order of members, and with it the bytes.
  const json = data ? JSON.stringify({ ...event, run_id: runId, data }) : `{"run_id":"${runId}"${rest}`;
  return { seq, type, json };
}

function dataWithOwnApproval(runId: string, event: LogEvent): object | undefined {
  switch (event.type) {
    case "run_paused": {
      const { approval, message } = event.data;
      const id = mirroredApprovalId(runId, approval.id);
      return { ...event.data, message: message.replaceAll(approval.id, id), approval: { ...approval, id } };
    }
    case "approval_decided":
    case "approval_edited":
    case "approval_expiring":
    case "approval_escalated":
      return { ...event.data, approval_id: mirroredApprovalId(runId, event.data.approval_id) };
    default:
      return undefined;
  }
}
