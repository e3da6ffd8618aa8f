import type { Caller } from "../../caller.ts";
import type { ApiRequest } from "../../http/index.ts";
import type { Service } from "../../mesh/index.ts";
import { originOf, type PeerDeps, servicesFor } from "../peer.ts";

export const VERSION = "1.0";
const MODES = ["text/plain", "application/json"];
const ABOUT =
  "Services that understand a message. A task that waits for an approval is decided by a person who may, at its link or by a message with data.";

type Skill = { id: string; name: string; description: string; tags: string[]; examples: string[] };

const ASK: Skill = {
  id: "ask",
  name: "Ask",
  description: "Ask whichever service the message is for.",
  tags: ["ask"],
  examples: [],
};

/** The mesh as an agent. What it offers depends on who asks: without a caller it only says how it is reached. */
export function meshCard(
  request: Pick<ApiRequest, "req">,
  caller: Caller | undefined,
  deps: PeerDeps,
): object {
  const url = `${originOf(request, deps)}/a2a`;
  const services = caller ? servicesFor(caller, deps) : [];
  return {
    ...common({ name: "Interlock", description: ABOUT, skills: [ASK, ...services.map(skillOf)] }),
    supportedInterfaces: [binding(url, "JSONRPC"), binding(url, "HTTP+JSON")],
  };
}

/** One service as an agent. @returns undefined where the caller may not use it */
export function serviceCard(
  request: Pick<ApiRequest, "req" | "caller">,
  name: string,
  deps: PeerDeps,
): object | undefined {
  const service = servicesFor(request.caller, deps).find((one) => one.name === name);
  if (!service) return undefined;
  const skill = skillOf(service);
  return {
    ...common({ name: skill.name, description: skill.description, skills: [skill] }),
    supportedInterfaces: [binding(`${originOf(request, deps)}/a2a/${name}`, "JSONRPC")],
  };
}

const binding = (url: string, protocolBinding: string) => ({
  url,
  protocolBinding,
  protocolVersion: VERSION,
});

const common = (about: { name: string; description: string; skills: Skill[] }) => ({
  ...about,
  version: "1",
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  defaultInputModes: MODES,
  defaultOutputModes: MODES,
});

function skillOf({ name, label, description, keywords, examples }: Service): Skill {
  const tags = keywords.length > 0 ? [...keywords] : [name];
  const said = description ?? `Ask the service ${name}.`;
  return { id: name, name: label?.en ?? name, description: said, tags, examples: [...examples] };
}
