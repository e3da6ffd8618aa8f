import { setTimeout as sleep } from "node:timers/promises";
import type { TraceContext } from "@interlock/contracts";
import { type RemoteAsk, type RemoteClient, RemoteError, type RemoteStream } from "../agents/index.ts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { RemoteSigner } from "../identity/index.ts";
import { JsonText, LARGE_TEXT } from "../json-text.ts";
import { isRemoteService, type Mesh, type RemoteService } from "../mesh/index.ts";
import type { Inputs, RunOrder, RunState } from "../store/index.ts";
import { Bearers } from "./bearers.ts";

/** A run here whose log is that of a run of another gateway. */
export type Mirrored = {
  id: string;
  tenant: string;
  sessionId: string;
  service: RemoteService;
  order: RunOrder;
  /** Where its execution belongs; absent: where its order does. */
  trace?: TraceContext;
};

/** Who asks: a caller, with the `Authorization` header of his request. */
export type Asking = { caller: Caller; authorization: string | undefined };

export type RemotesDeps = { client: RemoteClient; sign: RemoteSigner; mesh: Mesh };

/** What this gateway asks of others on behalf of its callers, with the identity that the service's entry says. */
export class Remotes {
  readonly #deps: RemotesDeps;
  readonly #bearers = new Bearers();

  constructor(deps: RemotesDeps) {
    this.#deps = deps;
  }

  /** The remote service of this name; undefined if the manifest no longer has it. */
  service(name: string): RemoteService | undefined {
    const service = this.#deps.mesh.services.get(name);
    return service && isRemoteService(service) ? service : undefined;
  }

  /** Keeps what a run is started with, where the remote gateway gets the caller's own token. */
  keep(runId: string, service: RemoteService, authorization: string | undefined): void {
    if (service.target.identity === "forward") this.#bearers.keep(runId, authorization ?? "");
  }

  /** To be called when a run is over. */
  forget(runId: string): void {
    this.#bearers.forget(runId);
  }

  /** Starts the run there, or finds the one that was started for this run before, and streams it from its first event on. */
  async start(run: Mirrored, signal: AbortSignal): Promise<RemoteStream> {
    const { order, sessionId } = run;
    const { message, conversationId, hops = [], plan = false, model } = order;
    const inputs = asStored(order.inputs);
    const turn = { message, session_id: sessionId, conversation_id: conversationId, inputs };
    // The key of the remote run: one per run here, for any holder and any number of reconnects.
    const options = { key: `interlock:${run.id}`, hops, plan, model: model.hint };
    return await this.#deps.client.start(this.#askFor(run, signal), turn, options);
  }

  /** Streams the run there after `after`. */
  async follow(run: Mirrored, remoteRun: string, after: number, signal: AbortSignal): Promise<RemoteStream> {
    return await this.#deps.client.follow(this.#askFor(run, signal), remoteRun, after);
  }

  /** The last seq of the run there. */
  async seqOf(run: Mirrored, remoteRun: string, signal: AbortSignal): Promise<number> {
    const path = `/api/v1/runs/${remoteRun}`;
    const view = await this.#deps.client.json(this.#askFor(run, signal), { method: "GET", path });
    return typeof view.seq === "number" ? view.seq : 0;
  }

  /** Cancels the run there. Does its best for some seconds: the gateway there may be gone, or the run be over. */
  async leave(run: Mirrored, remoteRun: string): Promise<void> {
    const path = `/api/v1/runs/${remoteRun}/cancel`;
    const signal = AbortSignal.timeout(LEAVE_MS);
    for (let tries = 1; ; tries++) {
      try {
        await this.#deps.client.json(this.#askFor(run, signal), { method: "POST", path });
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof RemoteError) || !error.passing) return;
        await sleep(Math.random() * LEAVE_PAUSE_MS * tries, undefined, { ref: false });
      }
    }
  }

  /** One request on behalf of whoever asks now, who need not be whoever started the run. */
  async askAs(
    { caller, authorization }: Asking,
    service: RemoteService,
    sent: { method: "GET" | "POST"; path: string; body?: object; key?: string },
    large: readonly string[] = [],
  ): Promise<Record<string, unknown>> {
    const { url, identity, timeoutMs } = service.target;
    const own = { none: undefined, forward: authorization, exchange: undefined }[identity];
    const ask: RemoteAsk = {
      service: service.name,
      url,
      authorization: identity === "exchange" ? `Bearer ${this.#deps.sign(caller, url)}` : own,
      signal: AbortSignal.timeout(Math.min(timeoutMs, LONGEST_ANSWER_MS)),
    };
    return await this.#deps.client.json(ask, sent, large);
  }

  /** @throws GatewayError interrupted where the caller's token is gone */
  #askFor({ id, tenant, service, order, trace = order }: Mirrored, signal: AbortSignal): RemoteAsk {
    const { requestId } = order;
    const authorization = this.#authorizationOf(id, tenant, service, order);
    return { service: service.name, url: service.target.url, authorization, signal, requestId, trace };
  }

  #authorizationOf(
    id: string,
    tenant: string,
    { target }: RemoteService,
    order: RunOrder,
  ): string | undefined {
    const { subject, issuer, roles } = order;
    switch (target.identity) {
      case "none":
        return undefined;
      case "exchange":
        return `Bearer ${this.#deps.sign({ tenant, subject, issuer, roles }, target.url)}`;
      case "forward": {
        const kept = this.#bearers.of(id);
        if (kept !== undefined) return kept === "" ? undefined : kept;
        throw new GatewayError(
          "interrupted",
          "The run went on where the token of its caller, which the remote gateway needs, is not known.",
        );
      }
      default:
        return target.identity satisfies never;
    }
  }
}

/** The key stands for the bytes of the request: whoever carries the run on has to send what its first holder sent. */
function asStored(inputs: Inputs | undefined): Inputs | undefined {
  return inputs instanceof JsonText && inputs.text.length <= LARGE_TEXT ? Object(inputs.value) : inputs;
}

/** How long to keep trying to cancel a run that nobody follows any more. */
const LEAVE_MS = 10_000;
const LEAVE_PAUSE_MS = 200;

/** Timeout of a single request. */
const LONGEST_ANSWER_MS = 15_000;

/** Whether a run of this state has ended. */
export function isOver(state: RunState | undefined): boolean {
  return state === "finished" || state === "failed" || state === "cancelled";
}
