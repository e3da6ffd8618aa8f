import type { Sessions } from "../../conversation/index.ts";
import type { Runs } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { cursorText, query } from "../query.ts";
import { sendJson } from "../respond.ts";
import { transcriptOf } from "../transcript.ts";
import { DEFAULT_LIMIT, LIMIT, validId } from "./parameters.ts";

/** Turns of a session that are shown where the caller does not say. */
const DEFAULT_TURNS = 100;

export type SessionEndpointsDeps = { sessions: Sessions; runs: Runs };

export function sessionEndpoints({ sessions, runs }: SessionEndpointsDeps): Endpoint[] {
  return [
    /** Latest first; `next` is the `before` of the next page. */
    ...["/api/v1/sessions", "/sessions"].map((path) =>
      endpoint({
        method: "GET",
        path,
        query: { limit: LIMIT, before: query.cursor },
        async handler({ res, caller, query: { limit = DEFAULT_LIMIT, before } }) {
          const page = await sessions.list(caller, { limit, before });
          sendJson(res, {
            sessions: page.sessions,
            ...(page.next ? { next: cursorText(page.next) } : {}),
          });
        },
      }),
    ),

    /** The same conversation turn by turn, with what executed each. */
    endpoint({
      method: "GET",
      path: "/sessions/:id",
      query: { limit: LIMIT },
      async handler({ res, caller, id, query: { limit = DEFAULT_TURNS } }) {
        const view = await sessions.find(caller, validId(id), 2 * limit);
        const asked = view.turns.flatMap((entry) => (entry.role === "user" ? entry.run_id : []));
        sendJson(res, transcriptOf(view, await runs.ofSession(caller, id, asked)));
      },
    }),

    /** The conversation's latest turns, oldest first; a turn has two sides. */
    endpoint({
      method: "GET",
      path: "/api/v1/sessions/:id",
      query: { limit: LIMIT },
      async handler({ res, caller, id, query: { limit = DEFAULT_TURNS } }) {
        sendJson(res, await sessions.find(caller, validId(id), 2 * limit));
      },
    }),

    /** Clears the conversation's turns, what it works with and where its dialogues stand; its summary stays. */
    endpoint({
      method: "POST",
      path: "/api/v1/sessions/:id/reset",
      async handler({ res, caller, id }) {
        await sessions.reset(caller, validId(id));
        sendJson(res, await sessions.find(caller, id, DEFAULT_TURNS));
      },
    }),
  ];
}
