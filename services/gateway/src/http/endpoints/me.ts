import type { CallerView } from "@interlock/contracts";
import type { Access } from "../../identity/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type MeEndpointsDeps = { access: Access };

/** Who the caller is, and what for a user interface is worth showing to them. */
export function meEndpoints({ access }: MeEndpointsDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/me",
      handler({ res, caller }) {
        const { subject, issuer, tenant, roles, authenticatedAt } = caller;
        const sessions = access.scopeOf(caller);
        const view: CallerView = {
          ...{ subject, issuer, tenant, roles: [...roles] },
          ...(authenticatedAt === undefined
            ? {}
            : { authenticated_at: new Date(authenticatedAt * 1000).toISOString() }),
          may: {
            see_approvals: access.seesApprovals(caller),
            decide_approvals: access.decidesApprovals(caller),
            administer: access.may(caller, "view", { kind: "admin" }),
            ...(sessions === undefined ? {} : { sessions }),
          },
        };
        sendJson(res, view);
      },
    }),
  ];
}
