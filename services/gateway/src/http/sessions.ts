import { GatewayError } from "../errors.ts";
import { keysOf } from "../store/keys.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Handler } from "./context.ts";
import { sendJson } from "./json.ts";
import { cursorText, idParam, query, readQuery } from "./request.ts";

const PAGE = { limit: query.integer(1, 200), before: query.cursor };

/** GET /api/v1/sessions: latest first; `next` is the `before` of the next page. */
export function listSessions(store: SessionStore): Handler {
  return async (context) => {
    const { limit = 50, before } = readQuery(context, PAGE);
    const { sessions, next } = await store.list(keysOf(context.caller.tenant), limit, before);
    sendJson(context.res, next ? { sessions, next: cursorText(next) } : { sessions });
  };
}

/** GET /api/v1/sessions/{id}: the conversation's latest turns, oldest first. */
export function getSession(store: SessionStore): Handler {
  return async (context) => {
    const { limit = 100 } = readQuery(context, { limit: PAGE.limit });
    const session = await store.find(keysOf(context.caller.tenant), idParam(context), 2 * limit);
    if (!session) throw new GatewayError("not_found");
    sendJson(context.res, session);
  };
}
