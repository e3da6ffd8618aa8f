import type { Request, Response } from "express";
import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import { keysOf } from "../store/keys.ts";
import type { SessionStore } from "../store/session-store.ts";
import { cursorText, idParam, query, readQuery } from "./request.ts";

const PAGE = { limit: query.integer(1, 200), before: query.cursor };

/** GET /api/v1/sessions: latest first; `next` is the `before` of the next page. */
export function listSessions(store: SessionStore) {
  return async (req: Request, res: Response): Promise<void> => {
    const caller: Caller = res.locals.caller;
    const { limit = 50, before } = readQuery(req, PAGE);
    const { sessions, next } = await store.list(keysOf(caller.tenant), limit, before);
    res.json(next ? { sessions, next: cursorText(next) } : { sessions });
  };
}

/** GET /api/v1/sessions/{id}: the conversation's latest turns, oldest first. */
export function getSession(store: SessionStore) {
  return async (req: Request, res: Response): Promise<void> => {
    const caller: Caller = res.locals.caller;
    const { limit = 100 } = readQuery(req, { limit: PAGE.limit });
    const session = await store.find(keysOf(caller.tenant), idParam(req, "id"), 2 * limit);
    if (!session) throw new GatewayError("not_found");
    res.json(session);
  };
}
