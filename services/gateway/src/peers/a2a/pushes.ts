import type { A2APushRequest } from "@interlock/contracts";
import { type Caller, principalOf } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import type { Access, SigningKeys } from "../../identity/index.ts";
import { newId } from "../../ids.ts";
import { type Mesh, mayPush } from "../../mesh/index.ts";
import type { Notice, PushPlace, PushStore, RunRecord, Runs } from "../../runs/index.ts";
import { noSuchTask } from "./error.ts";
import { rested } from "./task.ts";
import { mayDecide } from "./tasks.ts";

/** A receiver as it is kept: what its caller has sent, and who that was. */
type Kept = Pick<A2APushRequest, "url" | "token" | "authentication"> & {
  id: string;
  caller: Pick<Caller, "issuer" | "subject" | "roles">;
};

/** A receiver as it is stored. */
export type Receiver = { id: string; text: string };

export type PushesDeps = {
  mesh: Pick<Mesh, "peers" | "egress">;
  access: Access;
  runs: Pick<Runs, "find" | "eventAt">;
  store: PushStore;
  keys: Pick<SigningKeys, "seal" | "open">;
};

/**
 * The receivers of tasks' changes. The store has them sealed, each for its tenant. They are read back by whoever named them, without their
 * secrets, and are told no more than states and ids: the rest is for those who may get the task.
 */
export class Pushes {
  readonly #deps: PushesDeps;

  constructor(deps: PushesDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError invalid_request, where nothing may be sent there */
  receiver({ tenant, issuer, subject, roles }: Caller, sent: A2APushRequest): Receiver {
    const { mesh, keys } = this.#deps;
    const { url, token, authentication } = sent;
    if (!mayPush(url, mesh))
      throw new GatewayError("invalid_request", "The mesh sends no push notifications to this host.");
    const id = sent.id || newId();
    const kept: Kept = { id, url, caller: { issuer, subject, roles } };
    if (token) kept.token = token;
    if (authentication) kept.authentication = authentication;
    return { id, text: keys.seal(JSON.stringify(kept), tenant) };
  }

  /**
   * @param latest the task's latest run, as it was found
   * @returns whether it is kept: otherwise the run has gone on, and has to be found again
   * @throws A2aError; GatewayError invalid_request
   */
  async put(caller: Caller, task: string, latest: RunRecord, { id, text }: Receiver): Promise<boolean> {
    const place = { task, id };
    const before = await this.#find(caller.tenant, place);
    if (before && before !== "sealed" && !isOf(before, caller))
      throw new GatewayError("invalid_request", "Somebody else has a receiver of this id at the task.");
    const outcome = await this.#deps.store.put(caller.tenant, place, text, latest);
    if (outcome === "none") throw noSuchTask();
    if (outcome === "full")
      throw new GatewayError("invalid_request", "The task has as many receivers as it may have.");
    return outcome === "ok";
  }

  /** @throws A2aError: unknown ones and those of others look alike */
  async get(caller: Caller, place: PushPlace): Promise<object> {
    const kept = await this.#find(caller.tenant, place);
    if (!kept || kept === "sealed" || !isOf(kept, caller)) throw noSuchTask();
    return shown(kept, place.task);
  }

  /** Those that the caller has named. */
  async list(caller: Caller, task: string): Promise<object[]> {
    const texts = await this.#deps.store.list(caller.tenant, task);
    return texts.flatMap((text) => {
      const kept = this.#opened(caller.tenant, text);
      return kept && isOf(kept, caller) ? [shown(kept, task)] : [];
    });
  }

  /** It may be gone already. One that cannot be opened any more may be removed by whoever may read the task. */
  async remove(caller: Caller, place: PushPlace): Promise<void> {
    const kept = await this.#find(caller.tenant, place);
    if (kept === "sealed" || (kept && isOf(kept, caller)))
      await this.#deps.store.remove(caller.tenant, place);
  }

  /** Those who hear of a run. */
  of(tenant: string, run: string): Promise<PushPlace[]> {
    return this.#deps.store.ofRun(tenant, run);
  }

  /**
   * What a receiver is told of a change.
   * @returns a code where it can never be told; undefined where it was removed
   */
  async posted(
    tenant: string,
    place: PushPlace,
    { run, seq }: Notice,
  ): Promise<{ url: string; headers: Record<string, string>; body: string } | string | undefined> {
    const { mesh, access, runs } = this.#deps;
    const kept = await this.#find(tenant, place);
    if (!kept) return undefined;
    if (kept === "sealed") return "no_key";
    if (!mayPush(kept.url, mesh)) return "not_allowed";
    const caller = { tenant, ...kept.caller };
    const record = await runs.find(caller, run).catch(unlessFound);
    // The roles that the caller had may mean less by now.
    if (!record) return "not_allowed";
    const event = await runs.eventAt(caller, record, seq);
    if (!event) return "not_kept";
    const head = { taskId: place.task, contextId: record.sessionId, runId: run, message: "", origin: "" };
    const { state, timestamp } = rested(event, { ...head, mayDecide: mayDecide(caller, access) }).status;
    const metadata = { "interlock/run_id": run, "interlock/sequence": seq };
    const { taskId, contextId } = head;
    const update = { taskId, contextId, status: { state, timestamp }, metadata };
    return { url: kept.url, headers: headersOf(kept), body: JSON.stringify({ statusUpdate: update }) };
  }

  async #find(tenant: string, place: PushPlace): Promise<Kept | "sealed" | undefined> {
    const text = await this.#deps.store.find(tenant, place);
    return text === undefined ? undefined : (this.#opened(tenant, text) ?? "sealed");
  }

  /** @returns undefined where the key is gone */
  #opened(tenant: string, text: string): Kept | undefined {
    const opened = this.#deps.keys.open(text, tenant);
    return opened === undefined ? undefined : (JSON.parse(opened) as Kept);
  }
}

const isOf = ({ caller }: Kept, by: Caller): boolean => principalOf(caller) === principalOf(by);

/** Without secrets. */
function shown({ id, url, authentication }: Kept, taskId: string): object {
  return {
    id,
    taskId,
    url,
    ...(authentication ? { authentication: { scheme: authentication.scheme } } : {}),
  };
}

function headersOf({ token, authentication }: Kept): Record<string, string> {
  return {
    "content-type": "application/a2a+json",
    ...(token ? { "x-a2a-notification-token": token } : {}),
    ...(authentication ? { authorization: `${authentication.scheme} ${authentication.credentials}` } : {}),
  };
}

function unlessFound(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === "not_found") return undefined;
  throw error;
}
