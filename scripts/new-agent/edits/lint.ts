import type { Order } from "../order.ts";

const AGENTS = /("services\/\{[a-z0-9,-]+)(\}\/src\/\*\*")/;

/** biome.json: agents import the kit, never each other. */
export function addToLint(text: string, { name }: Order): string {
  if (!AGENTS.test(text)) throw new Error("there is no rule for the sources of the agents");
  return text.replace(AGENTS, `$1,${name}$2`);
}
