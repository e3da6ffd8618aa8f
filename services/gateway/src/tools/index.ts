export { toolsOf } from "./catalogue.ts";
export type { ToolProgress } from "./connection.ts";
export type { ToolFlag } from "./definition.ts";
export type { ToolContent, ToolResult } from "./result.ts";
export { ToolError, type ToolErrorCode } from "./tool-error.ts";
export { type McpTool, ToolServers, type ToolServersOptions } from "./tool-servers.ts";
export {
  type CalledTool,
  type OfferedServer,
  type OfferedTool,
  type ToolCall,
  type ToolObserver,
  Tools,
  type ToolsDeps,
} from "./tools.ts";
