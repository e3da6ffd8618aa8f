import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { GatewayError } from "../../errors.ts";
import type { ApiRequest } from "../../http/index.ts";
import { ID_PATTERN } from "../../ids.ts";
import type { RunRecord } from "../../runs/index.ts";
import { outcomeOf } from "../outcome.ts";
import { originOf } from "../peer.ts";
import type { McpDeps } from "./deps.ts";
import { type Saying, unknown } from "./error.ts";
import { serviceResult } from "./result.ts";

/** The extension by which a long call answers with a handle. */
export const TASKS = "io.modelcontextprotocol/tasks";
const POLL_MS = 1_000;

/** Whether the client of this very request takes handles. */
export function hasTasks({ mcpReq }: ServerContext): boolean {
  const { extensions } = Object(Reflect.get(Object(mcpReq.envelope), CLIENT_CAPABILITIES_META_KEY));
  return Object.hasOwn(Object(extensions), TASKS);
}

/** The handle of a run that goes on: its id is the run's. */
export function taskOf(record: RunRecord): CallToolResult {
  return { ...stateOf(record), status: "working", resultType: "task", content: [] };
}

function stateOf({ id, createdAt, finishedAt }: RunRecord) {
  const created = new Date(createdAt).toISOString();
  const updated = new Date(finishedAt ?? Date.now()).toISOString();
  return { taskId: id, createdAt: created, lastUpdatedAt: updated, ttlMs: null, pollIntervalMs: POLL_MS };
}

const params = fromJsonSchema<{ taskId: string }>({
  type: "object",
  properties: { taskId: { type: "string" } },
  required: ["taskId"],
});

/** The methods of the extension. A task never wants input: its approvals are decided by people, not by the client that waits for them. */
export function serveTasks(server: Server, said: Saying, request: ApiRequest, deps: McpDeps): void {
  const { caller } = request;
  const find = async (taskId: string, context: ServerContext): Promise<RunRecord> => {
    if (!hasTasks(context))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS]: {} } },
      });
    const record = ID_PATTERN.test(taskId) ? await deps.runs.find(caller, taskId).catch(orNone) : undefined;
    if (record) return record;
    throw unknown("task");
  };
  server.setRequestHandler("tasks/get", { params }, ({ taskId }, context) =>
    said(async () => {
      const record = await find(taskId, context);
      return { ...stateOf(record), ...(await detailOf(record, request, deps)) };
    }),
  );
  server.setRequestHandler("tasks/update", { params }, ({ taskId }, context) =>
    said(async () => {
      await find(taskId, context);
      return {};
    }),
  );
  server.setRequestHandler("tasks/cancel", { params }, ({ taskId }, context) =>
    said(async () => {
      await find(taskId, context);
      await deps.runs.cancel(caller, taskId).catch(unlessBegun);
      return {};
    }),
  );
}

async function detailOf(record: RunRecord, request: ApiRequest, { runs, ...deps }: McpDeps): Promise<object> {
  const rest = await runs.open(request.caller, record).rested();
  const origin = originOf(request, { runs, ...deps });
  const outcome = rest && outcomeOf(rest, origin);
  if (!rest || !outcome) return { status: "working" };
  if (outcome.kind === "paused") return { status: "working", statusMessage: outcome.text };
  if (outcome.kind === "failed" && outcome.cancelled) return { status: "cancelled" };
  const result = serviceResult(rest, { runId: record.id, sessionId: record.sessionId, origin });
  return { status: "completed", result };
}

/** Foreign and unknown ids look alike. */
function orNone(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === "not_found") return undefined;
  throw error;
}

/** Whoever cancels learns from the task's state what came of it. */
function unlessBegun(error: unknown): void {
  if (!(error instanceof GatewayError && error.code === "conflict")) throw error;
}
