import type { SessionHead, SessionView } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { keysOf, type PageCursor, type SessionStore } from "../store/index.ts";

/** The conversations of the caller's tenant. */
export class Sessions {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Latest first. */
  async list(
    caller: Caller,
    page: { limit: number; before?: PageCursor | undefined },
  ): Promise<{ sessions: SessionHead[]; next?: PageCursor }> {
    return await this.#store.list(keysOf(caller.tenant), page.limit, page.before);
  }

  /** A conversation with its latest turns, oldest first. @throws GatewayError not_found */
  async find(caller: Caller, id: string, turns: number): Promise<SessionView> {
    const session = await this.#store.find(keysOf(caller.tenant), id, turns);
    if (!session) throw new GatewayError("not_found");
    return session;
  }
}
