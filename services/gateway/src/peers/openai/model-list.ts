import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { type Endpoint, endpoint, sendJson } from "../../http/index.ts";
import { servicesFor } from "../peer.ts";
import { errorBody } from "./error.ts";
import { type AskModelsDeps, modelsFor } from "./models.ts";
import { modelOf, type ServiceDeps } from "./service.ts";

/** What the caller may name as `model`: services, and models of the mesh. */
export function modelListEndpoints(deps: ServiceDeps & AskModelsDeps): Endpoint[] {
  const listed = (caller: Caller) => [
    model(modelOf(), "interlock", { name: "Interlock" }),
    ...servicesFor(caller, deps).map(({ name, label, description }) =>
      model(modelOf(name), "interlock", { name: label?.en ?? name, ...(description ? { description } : {}) }),
    ),
    ...modelsFor(caller, deps).map((name) =>
      model(name, deps.mesh.models.models.get(name)?.provider.name ?? ""),
    ),
  ];
  return [
    endpoint({
      method: "GET",
      path: "/v1/models",
      errorBody,
      handler({ res, caller }) {
        sendJson(res, { object: "list", data: listed(caller) });
      },
    }),
    endpoint({
      method: "GET",
      path: "/v1/models/:id",
      errorBody,
      handler({ res, caller, id }) {
        const found = listed(caller).find((one) => one.id === id);
        if (!found) throw new GatewayError("not_found", "There is no such model.");
        sendJson(res, found);
      },
    }),
  ];
}

/** The manifest does not say since when there is one. */
const CREATED = 0;

const model = (id: string, owned_by: string, more: object = {}) => ({
  id,
  object: "model",
  created: CREATED,
  owned_by,
  ...more,
});
