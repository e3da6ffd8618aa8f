import { createHash } from "node:crypto";
import type {
  CompletedEntry,
  DialogueView,
  SessionHead,
  SessionView,
  WorkingSetView,
} from "@interlock/contracts";
import { type Caller, type OnForeign, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access, Action } from "../identity/index.ts";
import type { Localised } from "../language/index.ts";
import {
  type DialogueHead,
  keysOf,
  type PageCursor,
  type RunStore,
  type SessionStore,
} from "../store/index.ts";
import { readWorkingSet, type WorkingSet } from "./working-set.ts";

export type SessionsDeps = {
  results: Pick<RunStore, "result">;
  access: Access;
  onForeign: OnForeign;
  /** What a flow's messages can constrain. */
  slots: (flow: string) => readonly { readonly name: string; readonly label: Localised }[];
};

/** The conversations of the caller's tenant, as far as the caller may act on them. A foreign one looks like one that does not exist. */
export class Sessions {
  readonly #store: SessionStore;
  readonly #results: Pick<RunStore, "result">;
  readonly #access: Access;
  readonly #onForeign: OnForeign;
  readonly #slots: SessionsDeps["slots"];

  constructor(store: SessionStore, deps: SessionsDeps) {
    this.#store = store;
    this.#results = deps.results;
    this.#access = deps.access;
    this.#onForeign = deps.onForeign;
    this.#slots = deps.slots;
  }

  /** Latest first. */
  async list(
    caller: Caller,
    page: { limit: number; before?: PageCursor | undefined },
  ): Promise<{ sessions: SessionHead[]; next?: PageCursor }> {
    const scope = this.#access.scopeOf(caller);
    if (scope === undefined) return { sessions: [] };
    const owner = scope === "own" ? principalOf(caller) : undefined;
    return await this.#store.list(keysOf(caller.tenant), { ...page, owner });
  }

  /** What the conversation works with; undefined where it has not begun. @throws GatewayError not_found */
  async working(caller: Caller, id: string): Promise<WorkingSet | undefined> {
    const found = await this.#store.working(keysOf(caller.tenant), id);
    if (found) this.#refuseUnless(caller, "use", found.owner);
    return readWorkingSet(found?.working);
  }

  /**
   * Which of some services have a dialogue that waits for the user, in a conversation that the caller was found to speak in; and whether
   * a turn of it is under way.
   */
  async midFlow(
    caller: Caller,
    id: string,
    services: readonly string[],
  ): Promise<{ busy: boolean; waiting: string[] }> {
    const { busy, actions } = await this.#store.nextActions(keysOf(caller.tenant), id, services);
    return { busy, waiting: services.filter((_, at) => actions[at] !== undefined && actions[at] !== "DONE") };
  }

  /** The latest messages of the user, oldest first; none where the conversation has not begun. @throws GatewayError not_found */
  async said(caller: Caller, id: string, turns: number): Promise<string[]> {
    const found = await this.#store.find(keysOf(caller.tenant), id, 2 * turns);
    if (!found) return [];
    this.#refuseUnless(caller, "use", found.owner);
    return found.session.turns.flatMap((entry) => (entry.role === "user" ? [entry.text] : []));
  }

  /** What the conversation's dialogues changed in the world, oldest first. @throws GatewayError not_found */
  async completed(caller: Caller, id: string): Promise<CompletedEntry[]> {
    await this.#seen(caller, id);
    return await this.#store.completed(keysOf(caller.tenant), id);
  }

  /** All that the store holds of a conversation, by the store's names. @throws GatewayError not_found */
  async all(caller: Caller, id: string): Promise<Record<string, string>> {
    await this.#seen(caller, id);
    return await this.#store.all(keysOf(caller.tenant), id);
  }

  /** A conversation with its latest turns, oldest first, and what it works with. @throws GatewayError not_found */
  async find(caller: Caller, id: string, turns: number): Promise<SessionView> {
    const keys = keysOf(caller.tenant);
    // Before the turns are read: how many there are would be felt by those who may not see them.
    const used = await this.#seen(caller, id);
    const [found, dialogues] = await Promise.all([
      this.#store.find(keys, id, turns),
      this.#store.dialogues(keys, id),
    ]);
    if (!found) throw new GatewayError("not_found");
    const working = readWorkingSet(used.working);
    return {
      ...found.session,
      ...(dialogues.length > 0 ? { dialogues: dialogues.map(viewOfDialogue) } : {}),
      // Where the mesh has no flow that can be asked in words, the working set only notes the dialogue.
      ...(working && working.flow !== "" ? { working_set: await this.#viewOf(caller, working) } : {}),
    };
  }

  /**
   * Forgets the turns of a conversation, what it works with and where its dialogues stand; its summary stays.
   * @throws GatewayError not_found, forbidden, session_busy
   */
  async reset(caller: Caller, id: string): Promise<void> {
    const keys = keysOf(caller.tenant);
    const owner = await this.#store.owner(keys, id);
    if (owner === undefined) throw new GatewayError("not_found");
    this.#refuseUnless(caller, "view", owner);
    if (!this.#access.may(caller, "administer", { kind: "session", owner }))
      throw new GatewayError("forbidden", "Only its owner may reset a session.");
    if (owner !== principalOf(caller)) this.#onForeign(caller, `session ${id}`);
    await this.#store.reset(keys, id);
  }

  /** What the caller may see of a conversation has to be looked up after this. @throws GatewayError not_found */
  async #seen(caller: Caller, id: string): Promise<{ working?: string }> {
    const used = await this.#store.working(keysOf(caller.tenant), id);
    if (!used) throw new GatewayError("not_found");
    this.#refuseUnless(caller, "view", used.owner);
    if (used.owner !== principalOf(caller)) this.#onForeign(caller, `session ${id}`);
    return used;
  }

  #refuseUnless(caller: Caller, action: Action, owner: string): void {
    if (!this.#access.may(caller, action, { kind: "session", owner })) throw new GatewayError("not_found");
  }

  async #viewOf(caller: Caller, working: WorkingSet): Promise<WorkingSetView> {
    const { flow, inputsOf, slots, done, results, question } = working;
    const proposal = working.proposals.at(-1);
    const step = proposal && Object.values(proposal.steps).at(-1);
    const text =
      proposal && step && (await this.#results.result(keysOf(caller.tenant), { run: proposal.run, step }));
    return {
      flow,
      inputs: inputsOf === undefined ? { source: "default" } : { source: "given", run_id: inputsOf },
      slots: { ...slots },
      labels: Object.fromEntries(
        this.#slots(flow).flatMap(({ name, label }) => (slots[name] === undefined ? [] : [[name, label]])),
      ),
      goals: [...(done.at(-1)?.goals ?? [])],
      results,
      ...(proposal ? { proposal: { run_id: proposal.run, ...(text ? { hash: sha256(text) } : {}) } } : {}),
      ...(question ? { question: question.text } : {}),
    };
  }
}

function viewOfDialogue({
  service,
  stage,
  next_action,
  version,
}: DialogueHead & { service: string }): DialogueView {
  return { service, ...(stage === undefined ? {} : { stage }), next_action, version };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
