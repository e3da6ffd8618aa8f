import type { Caller } from "../../caller.ts";
import type { ApiRequest } from "../../http/index.ts";
import type { Service } from "../../mesh/index.ts";
import { originOf, servicesFor } from "../peer.ts";
import type { PushDeps } from "./push.ts";
import { type CardSigner, signedCard } from "./sign-card.ts";

export const VERSION = "1.0";
const MODES = ["text/plain", "application/json"];
const ABOUT =
  "Services that understand a message. A task that waits for an approval is decided by a person who may, at its link or by a message with data.";

export type CardDeps = PushDeps & {
  /** Absent: cards are not signed. */
  cardSigner?: CardSigner | undefined;
};

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
  deps: CardDeps,
): object {
  const url = `${originOf(request, deps)}/a2a`;
  const services = caller ? servicesFor(caller, deps) : [];
  const about = { name: "Interlock", description: ABOUT, skills: [ASK, ...services.map(skillOf)] };
  return cardOf(about, [binding(url, "JSONRPC"), binding(url, "HTTP+JSON")], deps);
}

/** One service as an agent. @returns undefined where the caller may not use it */
export function serviceCard(
  request: Pick<ApiRequest, "req" | "caller">,
  name: string,
  deps: CardDeps,
): object | undefined {
  const service = servicesFor(request.caller, deps).find((one) => one.name === name);
  if (!service) return undefined;
  const skill = skillOf(service);
  const about = { name: skill.name, description: skill.description, skills: [skill] };
  return cardOf(about, [binding(`${originOf(request, deps)}/a2a/${name}`, "JSONRPC")], deps);
}

const binding = (url: string, protocolBinding: string) => ({
  url,
  protocolBinding,
  protocolVersion: VERSION,
});

function cardOf(
  about: { name: string; description: string; skills: Skill[] },
  supportedInterfaces: object[],
  { pushes, cardSigner }: CardDeps,
): object {
  const card = {
    ...about,
    version: "1",
    supportedInterfaces,
    capabilities: { streaming: true, pushNotifications: pushes !== undefined, extendedAgentCard: true },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
  };
  return cardSigner ? signedCard(card, cardSigner) : card;
}

function skillOf({ name, label, description, keywords, examples }: Service): Skill {
  const tags = keywords.length > 0 ? [...keywords] : [name];
  const said = description ?? `Ask the service ${name}.`;
  return { id: name, name: label?.en ?? name, description: said, tags, examples: [...examples] };
}
