import { type UpstreamCode, UpstreamError } from "../agents/index.ts";
import { type McpTool, ToolError, type ToolErrorCode, type Tools } from "../tools/index.ts";
import type { Callee } from "./callee.ts";
import { readContent } from "./tool-artifacts.ts";

type CalledBy = Pick<Tools, "judge" | "call">;

/** A tool of an MCP server as a callee. */
export function toolCallee(tool: McpTool, tools: CalledBy): Callee {
  const { name, definition, server, reads } = tool;
  const { name: agent } = server.spec;
  return {
    name,
    about: { agent, task_type: definition.name },
    description: definition.description,
    parameters: definition.inputSchema,
    server: agent,
    reads,
    judge: (args, signal) => tools.judge(tool, args, signal),
    async call(args, { caller, runId, key, trace, signal, effect, maxAgeMs, room, onProgress }) {
      // Known before anything is sent, so that an effect has certainly not happened.
      if (server.status !== "ready") throw upstream("unavailable", agent, "connection_refused");
      try {
        const { result, cache } = await tools.call({
          ...{ caller, name, args, signal, maxAgeMs, runId, step: key, trace },
          ...(effect === undefined ? {} : { mayAct: true, idempotencyKey: `${runId}:${key}` }),
          ...(onProgress ? { onProgress: (progress) => void onProgress({ ...progress }) } : {}),
        });
        const { text, artifacts } = readContent(result.content, key, room);
        const { structured, isError } = result;
        const isObject = typeof structured === "object" && structured !== null && !Array.isArray(structured);
        const outputs = isObject
          ? { ...structured }
          : { text, ...(structured === undefined ? {} : { structured }) };
        return {
          ...{ outputs, isError, artifacts, warnings: [], cached: cache },
          text: text === "" && structured !== undefined ? JSON.stringify(structured) : text,
        };
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        throw upstream(error.code, agent, undefined, error);
      }
    },
  };
}

const CODES: Readonly<Record<ToolErrorCode, { code: UpstreamCode; reason: string }>> = {
  unknown_tool: { code: "upstream_refused", reason: "unknown_tool" },
  invalid_arguments: { code: "upstream_refused", reason: "invalid_arguments" },
  acts: { code: "upstream_refused", reason: "tool_acts" },
  unavailable: { code: "upstream_unavailable", reason: "connection_lost" },
  overloaded: { code: "rate_limited", reason: "tool_rate" },
  timeout: { code: "upstream_timeout", reason: "tool_timeout" },
  refused: { code: "upstream_refused", reason: "tool_refused" },
  invalid_result: { code: "upstream_invalid", reason: "tool_result" },
  result_too_large: { code: "upstream_invalid", reason: "result_too_large" },
};

/** @param reason instead of the one that the code has */
function upstream(tool: ToolErrorCode, agent: string, reason?: string, cause?: ToolError): UpstreamError {
  const { code, reason: usual } = CODES[tool];
  return new UpstreamError({
    ...{ code, agent, reason: reason ?? usual },
    message: cause?.message,
    retryAfterMs: cause?.retryMs,
  });
}
