import {
  type AuditLogView,
  type ErasureAnswer,
  type ErasureRequest,
  gatewayContract,
  type ReloadAnswer,
  type WebhookDelivery,
} from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import type { Access } from "../../identity/index.ts";
import type { PageCursor } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { cursorText, query } from "../query.ts";
import { sendJson } from "../respond.ts";
import { DEFAULT_LIMIT, LIMIT, validId } from "./parameters.ts";

export type AdminEndpointsDeps = {
  access: Access;
  /** Reads the manifest again. @throws GatewayError invalid_manifest, draining */
  reload: (caller: Caller) => Promise<ReloadAnswer>;
  /** The latest entries of the decision log of the caller's tenant, latest first. */
  logged: (caller: Caller, limit: number, behind?: string) => Promise<AuditLogView["entries"]>;
  /** What receivers of the caller's tenant have not taken yet, latest first. @throws GatewayError store_unavailable */
  listDeliveries: (
    caller: Caller,
    page: { limit: number; before?: PageCursor | undefined },
  ) => Promise<{ deliveries: WebhookDelivery[]; next?: PageCursor }>;
  /** Sends one again. @returns undefined where the tenant has no such delivery */
  redeliver: (caller: Caller, id: string) => Promise<WebhookDelivery | undefined>;
  /** Erases what is kept of a person in the caller's tenant. @throws GatewayError conflict, store_unavailable */
  erase: (caller: Caller, whose: ErasureRequest) => Promise<ErasureAnswer>;
};

/** What administrators do: to the replica that they ask, and to the data of their tenant; and its log, for who may read all of it. */
export function adminEndpoints({
  access,
  reload,
  logged,
  listDeliveries,
  redeliver,
  erase,
}: AdminEndpointsDeps): Endpoint[] {
  const mustReadAll = (caller: Caller, what: string): void => {
    if (access.scopeOf(caller) !== "tenant")
      throw new GatewayError("forbidden", `${what} for those who may read all of the tenant.`);
  };
  return [
    endpoint({
      method: "POST",
      path: "/api/v1/admin/reload",
      async handler({ res, caller }) {
        if (!access.may(caller, "administer", { kind: "admin" }))
          throw new GatewayError("forbidden", "Only an administrator may reload the manifest.");
        sendJson(res, await reload(caller));
      },
    }),

    /** Decisions and acts of security, latest first; `next` is the `before` of the next page. */
    endpoint({
      method: "GET",
      path: "/api/v1/admin/audit",
      query: { limit: LIMIT, before: query.place },
      async handler({ res, caller, query: { limit = DEFAULT_LIMIT, before } }) {
        mustReadAll(caller, "The log is");
        const entries = await logged(caller, limit, before);
        const last = entries.at(-1);
        sendJson(res, { entries, ...(last && entries.length === limit ? { next: last.id } : {}) });
      },
    }),

    /** `next` is the `before` of the next page. */
    endpoint({
      method: "GET",
      path: "/api/v1/admin/webhooks",
      query: { limit: LIMIT, before: query.cursor },
      async handler({ res, caller, query: { limit = DEFAULT_LIMIT, before } }) {
        mustReadAll(caller, "Deliveries of webhooks are");
        const { deliveries, next } = await listDeliveries(caller, { limit, before });
        sendJson(res, { deliveries, ...(next ? { next: cursorText(next) } : {}) });
      },
    }),

    endpoint({
      method: "POST",
      path: "/api/v1/admin/webhooks/:id/redeliver",
      async handler({ res, caller, id }) {
        mustReadAll(caller, "Deliveries of webhooks are");
        const delivery = await redeliver(caller, validId(id));
        if (!delivery) throw new GatewayError("not_found");
        sendJson(res, delivery, 202);
      },
    }),

    endpoint({
      method: "POST",
      path: "/api/v1/admin/erasures",
      body: gatewayContract.erasureRequest,
      async handler({ res, caller, body }) {
        if (!access.may(caller, "administer", { kind: "admin" }))
          throw new GatewayError("forbidden", "Only an administrator may erase data.");
        sendJson(res, await erase(caller, body));
      },
    }),
  ];
}
