import { gatewayContract } from "@interlock/contracts";
import type { Feedback } from "../../conversation/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { cursorText, query } from "../query.ts";
import { sendJson } from "../respond.ts";
import { DEFAULT_LIMIT, LIMIT, refuseOtherUser } from "./parameters.ts";

export type FeedbackEndpointsDeps = { feedback: Feedback };

/** What users say of their turns. */
export function feedbackEndpoints({ feedback }: FeedbackEndpointsDeps): Endpoint[] {
  return ["/api/v1/feedback", "/feedback"].flatMap((path) => [
    endpoint({
      method: "POST",
      path,
      body: gatewayContract.feedbackRequest,
      async handler({ res, caller, body: { user_id, ...said } }) {
        refuseOtherUser(caller, user_id);
        sendJson(res, await feedback.give(caller, said));
      },
    }),

    /** Latest first; `next` is the `before` of the next page. */
    endpoint({
      method: "GET",
      path,
      query: { limit: LIMIT, before: query.cursor },
      async handler({ res, caller, query: { limit = DEFAULT_LIMIT, before } }) {
        const { next, ...page } = await feedback.list(caller, { limit, before });
        sendJson(res, { ...page, ...(next ? { next: cursorText(next) } : {}) });
      },
    }),
  ]);
}
