import type { ToolCallRecord } from "@interlock/contracts";

/** What a run's end says of the tools that were called for it; nothing, where it called none. */
export type CalledTools = { rounds: number; mcps_used: string[]; tool_lineage: ToolCallRecord[] };

/** @param data of the event with which a run ended */
export function calledTools(data: unknown): CalledTools {
  const {
    rounds = 0,
    mcps_used = [],
    tool_lineage = [],
  }: Partial<CalledTools> = typeof data === "object" && data !== null ? data : {};
  return { rounds, mcps_used, tool_lineage };
}
