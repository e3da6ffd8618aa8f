import { McpServer } from "@modelcontextprotocol/server";
import type { ApiRequest } from "../../http/index.ts";
import { callTool } from "./call.ts";
import type { McpDeps } from "./deps.ts";
import { sayingSo } from "./error.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import { serveTasks, TASKS } from "./task.ts";
import { toolsFor } from "./tools.ts";

const INFO = { name: "interlock", title: "Interlock", version: "1" };
const INSTRUCTIONS =
  "Tools named ask_… are services that understand a message; give session_id of the last answer to go on with a conversation. " +
  "An answer whose status is paused waits for a person, who approves at its link: you cannot.";
/** What a caller may use changes with the manifest and the caller's roles. */
const LISTS = { ttlMs: 30_000, cacheScope: "private" } as const;

export type Served = {
  request: ApiRequest;
  /** Told of what failed inside of the gateway: clients learn nothing of it. */
  onFailure: (error: unknown) => void;
};

/** The server of one request: what it lists and does is its caller's. The older versions of the protocol have no extensions. */
export function serverFor(
  { request, onFailure }: Served,
  era: "legacy" | "modern",
  deps: McpDeps,
): McpServer {
  const { caller } = request;
  const isModern = era === "modern";
  const mcp = new McpServer(INFO, {
    capabilities: {
      ...{ tools: {}, resources: {}, prompts: {} },
      ...(isModern ? { extensions: { [TASKS]: {} } } : {}),
    },
    instructions: INSTRUCTIONS,
    cacheHints: { "tools/list": LISTS, "prompts/list": LISTS, "resources/templates/list": LISTS },
  });
  const { server } = mcp;
  const said = sayingSo(onFailure);
  server.setRequestHandler("tools/list", () => ({
    tools: Array.from(toolsFor(caller, deps).values(), ({ tool }) => tool),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    said(() => callTool(request, params, context, deps)),
  );
  server.setRequestHandler("resources/list", ({ params }) =>
    said(() => listResources(caller, params?.cursor, deps)),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler("resources/read", ({ params }) =>
    said(() => readResource(caller, params.uri, deps)),
  );
  server.setRequestHandler("prompts/list", ({ params }) => listPrompts(caller, params?.cursor, deps));
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(caller, params.name, deps));
  if (isModern) serveTasks(server, said, request, deps);
  return mcp;
}
