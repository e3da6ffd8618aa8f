import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Caller } from "../../caller.ts";
import { servicesFor } from "../peer.ts";
import type { McpDeps } from "./deps.ts";
import { unknown } from "./error.ts";

type Offered = { prompt: Prompt; text: string };

/** The examples of the caller's services, by name. */
function promptsFor(caller: Caller, deps: McpDeps): ReadonlyMap<string, Offered> {
  const all = servicesFor(caller, deps).flatMap(({ name, label, examples }) =>
    examples.map((text, at): [string, Offered] => {
      const prompt = { name: `${name}_${at + 1}`, title: label?.en ?? name, description: text };
      return [prompt.name, { prompt, text }];
    }),
  );
  return new Map(all);
}

/** Prompts of one page: a manifest may have hundreds of examples. */
const PAGE = 100;

export function listPrompts(caller: Caller, cursor: string | undefined, deps: McpDeps) {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is none of this list.");
  const all = Array.from(promptsFor(caller, deps).values(), ({ prompt }) => prompt);
  const next = from + PAGE;
  return { prompts: all.slice(from, next), ...(next < all.length ? { nextCursor: String(next) } : {}) };
}

/** @throws ProtocolError: foreign and unknown ones look alike */
export function getPrompt(caller: Caller, name: string, deps: McpDeps): GetPromptResult {
  const found = promptsFor(caller, deps).get(name);
  if (!found) throw unknown("prompt");
  const { prompt, text } = found;
  return {
    description: prompt.title ?? prompt.name,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
