import type { Endpoint } from "../../http/index.ts";
import { completionEndpoint } from "./completions.ts";
import { modelListEndpoints } from "./model-list.ts";
import type { AskModelsDeps } from "./models.ts";
import { responseEndpoints } from "./responses.ts";
import type { ServiceDeps } from "./service.ts";

export type { AskModels } from "./models.ts";
export type OpenAiDeps = Omit<ServiceDeps, "progress"> & AskModelsDeps;

/** For clients that speak OpenAI's format: services and models as `model`. */
export function openAiEndpoints(deps: ServiceDeps & AskModelsDeps): Endpoint[] {
  return [completionEndpoint(deps), ...modelListEndpoints(deps), ...responseEndpoints(deps)];
}
