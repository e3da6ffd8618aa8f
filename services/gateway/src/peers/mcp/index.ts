import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { compileSchema } from "@interlock/contracts";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { GatewayError } from "../../errors.ts";
import { type ApiRequest, type Endpoint, endpoint, headerOf, sendJson } from "../../http/index.ts";
import { originOf } from "../peer.ts";
import { cancelCall, SESSION } from "./call.ts";
import type { McpDeps } from "./deps.ts";
import { errorBody } from "./error.ts";
import { goneSignal, respond, webRequest } from "./respond.ts";
import { serverFor } from "./server.ts";

export type { McpDeps } from "./deps.ts";

const PATH = "/mcp";
/** As RFC 9728 has it for the resource at {@link PATH}. */
const METADATA = `/.well-known/oauth-protected-resource${PATH}`;

/** One message: older versions of the protocol had lists of them, which would be many calls for one request of the limits. */
const message = compileSchema<Message>({ type: "object", properties: { method: { type: "string" } } });

type Message = { id?: unknown; method?: string; params?: unknown };

/** What lasts: each has a place among the caller's streams, however it is answered. */
const LASTING = new Set(["tools/call", "subscriptions/listen"]);

/** The mesh as an MCP server: its services and tasks as tools, over Streamable HTTP. */
export function mcpEndpoints(deps: McpDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: PATH,
      hot: true,
      startsRun: true,
      usesAgents: true,
      body: message,
      errorBody,
      challenge: (req) => challengeOf(req, deps),
      produces: ["application/json", "text/event-stream"],
      handler: (request) => serveMessage(request, deps),
    }),

    /** Where clients get their tokens. */
    endpoint({
      method: "GET",
      path: METADATA,
      auth: "none",
      handler({ req, res }) {
        const issuers = Object.values(deps.mesh.issuers).map(({ issuer }) => issuer);
        sendJson(res, {
          resource: `${originOf({ req }, deps)}${PATH}`,
          resource_name: "Interlock",
          authorization_servers: issuers.filter((issuer) => URL.canParse(issuer)),
          bearer_methods_supported: ["header"],
        });
      },
    }),
  ];
}

/** Where the metadata are; nothing where the request does not say how it found the gateway. */
function challengeOf(req: IncomingMessage, deps: McpDeps): string | undefined {
  try {
    return `resource_metadata="${originOf({ req }, deps)}${METADATA}"`;
  } catch {
    return undefined;
  }
}

async function serveMessage(request: ApiRequest<object, Message>, deps: McpDeps): Promise<void> {
  const { req, res, caller, body, admitted } = request;
  const { method = "", id } = body;
  if (!deps.isOwnHost(headerOf(req, "host")))
    throw new GatewayError("forbidden", "The Host header does not name this gateway.");
  // Before anything is answered: once the protocol's library has begun, a refusal has no status.
  if (admitted) await admitted;
  if (method === "initialize") res.setHeader(SESSION, randomUUID());
  if (method === "notifications/cancelled") await cancelCall(request, body.params, deps);
  if (LASTING.has(method)) deps.streams.admit(res, caller);
  let failure: unknown;
  const served = { request, onFailure: (error: unknown) => (failure ??= error) };
  const handler = createMcpHandler(({ era }) => serverFor(served, era, deps), { keepAliveMs: 0 });
  const response = await handler.fetch(webRequest(req, goneSignal(res)), { parsedBody: body });
  await respond(res, response, { streams: deps.streams, id, failure: () => failure });
}
