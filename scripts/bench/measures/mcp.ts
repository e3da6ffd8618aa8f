import { runAsks } from "../load/asks.ts";
import { askOf, mcpAsk } from "../load/requests.ts";
import type { Measure } from "./measure.ts";

/** The same simple ask, one at a time, on the chat API and as a call of a tool, in two versions of the protocol. */
export const mcp: Measure = {
  name: "mcp",
  title: "A simple ask as a call of an MCP tool, against the chat API",
  async run({ rig: start, signal }) {
    const rig = await start();
    const values: Record<string, number> = {};
    for (const [name, question] of [
      ["chat", askOf.gateway],
      ["call", mcpAsk("2026-07-28")],
      ["older", mcpAsk("2025-11-25")],
    ] as const) {
      const result = await runAsks(
        { urls: rig.gateways, question, concurrency: 1 },
        { warmS: 3, seconds: 4, usages: [rig.sut], signal },
      );
      values[`${name}P50Ms`] = result.ms.p50;
      values[`${name}CpuUs`] = ((result.cpuS[0] ?? 0) * 1e6) / result.answered;
    }
    return values;
  },
};
