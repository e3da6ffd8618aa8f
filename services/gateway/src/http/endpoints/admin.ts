import type { ReloadAnswer } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import type { Access } from "../../identity/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type AdminEndpointsDeps = {
  access: Access;
  /** Reads the manifest again. @throws GatewayError invalid_manifest, draining */
  reload: (caller: Caller) => Promise<ReloadAnswer>;
};

/** What administrators do to the replica that they ask. */
export function adminEndpoints({ access, reload }: AdminEndpointsDeps): Endpoint[] {
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
  ];
}
