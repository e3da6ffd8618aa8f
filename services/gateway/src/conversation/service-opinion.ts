import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompts } from "../models/index.ts";
import type { UsageAmounts } from "../store/index.ts";
import { type AskedIn, objectSchema, quickAnswers } from "./quick-answer.ts";
import type { Option } from "./working-set.ts";

/**
 * A model's opinion on which of the options a message is for; undefined where it has none in time. The options are those that the user would
 * be asked about, so that it can choose nothing that the user may not have.
 */
export type ServiceOpinion = (
  message: string,
  options: readonly Option[],
  asked: AskedIn,
) => Promise<{ option: Option; used: UsageAmounts } | undefined>;

const NONE = "none";

/** Asks a model where several services are about as likely. */
export function serviceOpinion({
  mesh,
  models,
  prompts,
}: {
  mesh: Pick<Mesh, "models" | "services">;
  models: Pick<ModelGateway, "asks" | "generate">;
  prompts: Prompts;
}): ServiceOpinion | undefined {
  const answers = quickAnswers({ mesh, models });
  if (!answers) return undefined;
  return async (message, options, asked) => {
    if (!answers.asks(asked)) return undefined;
    const named = new Map(options.map((option) => [option.service ?? `${option.flow} flow`, option]));
    const prompt = prompts.get("service");
    const describe = ([name, { label, service }]: [string, Option]) => {
      const description = service === undefined ? "" : (mesh.services.get(service)?.description ?? "");
      return `- ${name}: ${label}${description === "" ? "" : `. ${description}`}`;
    };
    const system = prompt.fill({ services: [...named].map(describe).join("\n") });
    const schema = objectSchema({ service: { type: "string", enum: [...named.keys(), NONE] } });
    const answer = await answers.ask({ message, system, prompt, schema }, asked);
    const option = answer && named.get(serviceIn(answer.object));
    return option && { option, used: answer.used };
  };
}

/** The schema has been checked. */
function serviceIn(object: unknown): string {
  return (object as { service: string }).service;
}
