import { type Language, languageOf } from "../conversation/index.ts";
import type { Mesh } from "../mesh/index.ts";

/**
 * The label that users see while an agent works, or its name where the manifest has none.
 * @param locale the language; by default the one that the message is written in
 */
export function agentLabels({ agents }: Mesh, message: string, locale?: Language): (agent: string) => string {
  return (agent) => agents.get(agent)?.label?.[locale ?? languageOf(message)] ?? agent;
}
