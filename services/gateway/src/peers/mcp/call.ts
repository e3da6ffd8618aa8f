import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { CallToolRequest, CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { GatewayError } from "../../errors.ts";
import type { StoredEvent } from "../../events/index.ts";
import {
  type ApiRequest,
  agentLabels,
  cancelWhenGone,
  headerOf,
  idempotencyOfCall,
} from "../../http/index.ts";
import { lessSizeOf } from "../../json-text.ts";
import type { RunHandle } from "../../runs/index.ts";
import { follow } from "../follow.ts";
import { type Asked, begin, originOf } from "../peer.ts";
import { progressLine } from "../progress-line.ts";
import type { McpDeps } from "./deps.ts";
import { failedCall, unknown } from "./error.ts";
import { serviceResult, taskResult } from "./result.ts";
import { hasTasks, taskOf } from "./task.ts";
import { readServiceInputs, type Stands, toolsFor } from "./tools.ts";

/** By which a call that is made again is known, as where the gateway itself calls a server. */
const KEY_META = "interlock/idempotency-key";
/** The header with which clients of the older versions name their session; it is given out once and kept nowhere. */
export const SESSION = "mcp-session-id";
/** Values that the arguments of a call may have: they are written at once. */
const MOST_ARGUMENTS = 100_000;
/** Between two notifications of progress: more would be read by nobody. */
const PROGRESS_MS = 200;

/**
 * Calls a tool. What keeps the call from its answer is a result that says so, for the model that called.
 * @throws ProtocolError for a tool that is not listed to the caller
 */
export async function callTool(
  request: ApiRequest,
  { name, arguments: args = {}, _meta: meta }: CallToolRequest["params"],
  context: ServerContext,
  deps: McpDeps,
): Promise<CallToolResult> {
  const offered = toolsFor(request.caller, deps).get(name);
  if (!offered) throw unknown("tool");
  const { stands } = offered;
  const { caller } = request;
  try {
    const { req } = request;
    const key = meta?.[KEY_META] ?? headerOf(req, "idempotency-key");
    const returns = typeof key === "string";
    const named = returns ? key : callKey(req, context.mcpReq.id);
    const idempotency = named === undefined ? undefined : idempotencyOfCall(caller, named, { name, args });
    const asTask = hasTasks(context);
    const asked = { ...askedOf(stands, args), quiet: meta?.progressToken === undefined && !asTask };
    const { run, isPlan } = await begin(request, { ...asked, ...(idempotency ? { idempotency } : {}) }, deps);
    if (isPlan && asTask) return taskOf(await deps.runs.find(caller, run.id));
    // Whoever named the call comes back for it.
    if (!returns && !run.replayed) cancelWhenGone(run, request.res);
    return await resultOf(run, stands, { request, context, message: asked.message }, deps);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === "internal") throw error;
    return failedCall(error);
  }
}

/**
 * By which a call of the older versions is found again, on any replica: there a client cancels by a message of its own, which names the
 * request. @returns undefined without a session, as in the present version
 */
function callKey({ headers }: IncomingMessage, id: unknown): string | undefined {
  const session = headers[SESSION];
  if (typeof session !== "string" || id === undefined) return undefined;
  return `mcp-${createHash("sha256")
    .update(`${session}\0${JSON.stringify(id)}`)
    .digest("base64url")}`;
}

/** Cancels the call that a message of the older versions names, where it is under way. */
export async function cancelCall(
  { req, caller }: Pick<ApiRequest, "req" | "caller">,
  params: unknown,
  { runs }: McpDeps,
): Promise<void> {
  const key = callKey(req, Object(params).requestId);
  const run = key && (await runs.ofKey(caller, idempotencyOfCall(caller, key, {})));
  // What has ended meanwhile, or takes effect already, goes its way.
  if (run) await runs.cancel(caller, run).catch(unlessOver);
}

function unlessOver(error: unknown): void {
  if (!(error instanceof GatewayError && (error.code === "conflict" || error.code === "not_found")))
    throw error;
}

/** @throws GatewayError invalid_request, payload_too_large */
function askedOf(stands: Stands, args: Readonly<Record<string, unknown>>): Asked {
  if (stands.kind === "service") {
    const { message, session_id: sessionId = randomUUID() } = readServiceInputs(args);
    return { message, sessionId, service: stands.service };
  }
  if (lessSizeOf(args, MOST_ARGUMENTS) < 0)
    throw new GatewayError("payload_too_large", "Arguments of this size are inputs of POST /api/v1/runs.");
  const { agent, task } = stands;
  return { task: { agent, task }, sessionId: randomUUID(), inputs: args };
}

/** Waits for the run to rest, and says meanwhile what is done, where the client wants to know. */
async function resultOf(
  run: RunHandle,
  stands: Stands,
  {
    request,
    context,
    message = "",
  }: { request: ApiRequest; context: ServerContext; message?: string | undefined },
  deps: McpDeps,
): Promise<CallToolResult> {
  const about = { runId: run.id, sessionId: run.sessionId, origin: originOf(request, deps) };
  const tell = progressTeller(context, agentLabels(deps.mesh, message));
  let finished: StoredEvent | undefined;
  const rest = await follow(run, {
    signal: context.mcpReq.signal,
    onEvent(event) {
      if (event.type === "step_finished") finished = event;
      tell?.(event);
    },
  });
  return stands.kind === "service"
    ? serviceResult(rest, about)
    : await taskResult(rest, finished, about, deps);
}

function progressTeller(
  { mcpReq }: ServerContext,
  labelOf: (agent: string) => string,
): ((event: StoredEvent) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    const line = progressLine(event, labelOf);
    if (line === undefined) return;
    if (event.type === "progress") {
      const now = performance.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
    }
    const params = { progressToken, progress: event.seq, message: line };
    // A client that is gone is told nothing; its call ends by itself.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
