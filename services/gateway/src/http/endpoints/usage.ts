import type { UsageReport } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import type { Access } from "../../identity/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { query } from "../query.ts";
import { sendJson } from "../respond.ts";
import { DEFAULT_LIMIT, LIMIT } from "./parameters.ts";

export type UsageEndpointsDeps = {
  access: Access;
  reportUsage: (
    caller: Caller,
    query: {
      groupBy: UsageReport["group_by"];
      scope: UsageReport["scope"];
      from: string | undefined;
      to: string | undefined;
      limit: number;
    },
  ) => Promise<UsageReport>;
};

const GROUP_BY = query.oneOf("model", "subject", "tenant", "session", "run");

/** What models used: the caller's own, and everybody's in the tenant for those who administer it. */
export function usageEndpoints({ access, reportUsage }: UsageEndpointsDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/usage",
      query: { group_by: GROUP_BY, from: query.day, to: query.day, limit: LIMIT },
      async handler({ res, caller, query: { group_by = "model", from, to, limit = DEFAULT_LIMIT } }) {
        const scope = access.may(caller, "view", { kind: "admin" }) ? "tenant" : "own";
        sendJson(res, await reportUsage(caller, { groupBy: group_by, scope, from, to, limit }));
      },
    }),
  ];
}
