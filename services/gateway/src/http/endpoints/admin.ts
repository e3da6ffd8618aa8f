import {
  type ErasureAnswer,
  type ErasureRequest,
  gatewayContract,
  type ReloadAnswer,
} from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import type { Access } from "../../identity/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type AdminEndpointsDeps = {
  access: Access;
  /** Reads the manifest again. @throws GatewayError invalid_manifest, draining */
  reload: (caller: Caller) => Promise<ReloadAnswer>;
  /** Erases what is kept of a person in the caller's tenant. @throws GatewayError conflict, store_unavailable */
  erase: (caller: Caller, whose: ErasureRequest) => Promise<ErasureAnswer>;
};

/** What administrators do: to the replica that they ask, and to the data of their tenant. */
export function adminEndpoints({ access, reload, erase }: AdminEndpointsDeps): Endpoint[] {
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
