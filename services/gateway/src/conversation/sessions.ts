import { createHash } from "node:crypto";
import type { SessionHead, SessionView, WorkingSetView } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { keysOf, type PageCursor, type RunStore, type SessionStore } from "../store/index.ts";
import { readWorkingSet, type WorkingSet } from "./working-set.ts";

/** The conversations of the caller's tenant. */
export class Sessions {
  readonly #store: SessionStore;
  readonly #results: Pick<RunStore, "result">;

  constructor(store: SessionStore, results: Pick<RunStore, "result">) {
    this.#store = store;
    this.#results = results;
  }

  /** Latest first. */
  async list(
    caller: Caller,
    page: { limit: number; before?: PageCursor | undefined },
  ): Promise<{ sessions: SessionHead[]; next?: PageCursor }> {
    return await this.#store.list(keysOf(caller.tenant), page.limit, page.before);
  }

  /** What the conversation works with; undefined where it has not begun. */
  async working(caller: Caller, id: string): Promise<WorkingSet | undefined> {
    return readWorkingSet(await this.#store.working(keysOf(caller.tenant), id));
  }

  /** The latest messages of the user, oldest first; none where the conversation has not begun. */
  async said(caller: Caller, id: string, turns: number): Promise<string[]> {
    const session = await this.#store.find(keysOf(caller.tenant), id, 2 * turns);
    return session?.turns.flatMap((entry) => (entry.role === "user" ? [entry.text] : [])) ?? [];
  }

  /** A conversation with its latest turns, oldest first, and what it works with. @throws GatewayError not_found */
  async find(caller: Caller, id: string, turns: number): Promise<SessionView> {
    const [session, working] = await Promise.all([
      this.#store.find(keysOf(caller.tenant), id, turns),
      this.working(caller, id),
    ]);
    if (!session) throw new GatewayError("not_found");
    return working ? { ...session, working_set: await this.#viewOf(caller, working) } : session;
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
      goals: [...(done.at(-1)?.goals ?? [])],
      results,
      ...(proposal ? { proposal: { run_id: proposal.run, ...(text ? { hash: sha256(text) } : {}) } } : {}),
      ...(question ? { question: question.text } : {}),
    };
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
