import { isDeeperThan } from "@interlock/contracts";
import { canonicalJson, sha256 } from "../canonical-json.ts";

/** What the definition of a tool is made of, as far as it is used: everything that its hash covers. */
export type ToolDefinition = {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Hints of the server, which nobody has to believe. */
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
};

/** What a tool is suspected of. `shadows`: its name reads like that of another tool. */
export type ToolFlag = "shadows" | "addresses_model" | "hidden_text";

/** As the protocol wants names to be. Those of other tools are left out. */
const NAME = /^[A-Za-z0-9_.\-/]{1,128}$/;

/** Characters of a definition in canonical form. */
const MOST = 64 * 1024;
/** Levels of a definition. */
const DEEPEST = 100;

/** What a server lists, as the protocol's library has it. */
export type ListedDefinition = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: object;
  outputSchema?: object | undefined;
  annotations?: { readOnlyHint?: boolean | undefined; idempotentHint?: boolean | undefined } | undefined;
};

/** @returns undefined for what cannot be used: no name, larger than anybody would read, or nested beyond measure */
export function readDefinition(
  listed: ListedDefinition,
): { definition: ToolDefinition; hash: string } | undefined {
  const { name, title, description = "", inputSchema, outputSchema, annotations } = listed;
  if (!NAME.test(name) || isDeeperThan(DEEPEST, listed)) return undefined;
  const definition: ToolDefinition = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: { ...inputSchema },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema } }),
    ...(annotations === undefined ? {} : { annotations: hintsIn(annotations) }),
  };
  const text = canonicalJson(definition);
  return text.length > MOST ? undefined : { definition, hash: sha256(text) };
}

/** The hash of a definition that was accepted; another one is another definition. */
export function definitionHash(definition: unknown): string {
  return sha256(canonicalJson(definition));
}

function hintsIn({ readOnlyHint, idempotentHint }: NonNullable<ListedDefinition["annotations"]>) {
  return {
    ...(readOnlyHint === undefined ? {} : { readOnlyHint }),
    ...(idempotentHint === undefined ? {} : { idempotentHint }),
  };
}

/** What speaks to a model rather than of the tool: orders about its instructions, about other tools, or to keep something from people. */
const ADDRESSING = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,60}\b(?:instructions?|prompts?|rules|guidelines|safeguards|above|previous|prior)\b/i,
  /<\/?\s{0,4}(?:important|system|assistant|instructions?|secret|critical)\b[^>]{0,40}>/i,
  /\b(?:do not|don't|never|without)\b[^.]{0,60}\b(?:tell|mention|inform|show|reveal|notify|ask)(?:ing)?\b[^.]{0,30}\b(?:users?|humans?|anyone|anybody|operators?|people)\b/i,
  /\b(?:before|after|instead of|whenever|every time)\b[^.]{0,40}\b(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?)\b[^.]{0,30}\b(?:any|other|another|every)\b[^.]{0,20}\btools?\b/i,
  /\b(?:system prompt|you are now|act as|as an? (?:ai|assistant|language model))\b/i,
] as const;

/** Zero-width and bidirectional controls, and the tags of Unicode that nobody sees. */
const HIDDEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** @param isInjection what else of the gateway recognises attempts to change what a model may do */
export function suspicionsIn(definition: ToolDefinition, isInjection: (text: string) => boolean): ToolFlag[] {
  const whole = textsIn(definition).join("\n");
  const addresses = ADDRESSING.some((pattern) => pattern.test(whole)) || isInjection(whole);
  return [
    ...(addresses ? (["addresses_model"] as const) : []),
    ...(HIDDEN.test(whole) ? (["hidden_text"] as const) : []),
  ];
}

/** Every text of a definition: what is in the depths of a schema reaches a model too. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Names that people and models take for each other have the same one. */
export function soundOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
