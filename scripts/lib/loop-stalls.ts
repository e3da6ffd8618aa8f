import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** No request, manifest, tenant or agent may hold the event loop of a gateway for longer (ms). */
export const LONGEST_STALL_MS = 50;

/** From here on a stall is no effect of a busy machine, where the same work takes the thread more time. */
export const FAILING_STALL_MS = 2 * LONGEST_STALL_MS;

export type Stall = {
  /** The time in which the gateway was at work itself: waiting for a core is not counted. */
  ms: number;
  /** The line of the log, which names what ran. */
  line: string;
};

/** What a gateway logs of a stall of its event loop, of `LOOP_REPORT_MS` or longer. */
const LINE = /^.*"own_ms":(\d+).*"msg":"the event loop was held".*$/gm;

/** The longest stall in the logs of gateways. */
export function longestStall(logs: readonly string[]): Stall {
  const found = logs.flatMap((log) => [...log.matchAll(LINE)]);
  const stalls = found.map(([line, ms]) => ({ ms: Number(ms), line }));
  return stalls.reduce((longest, stall) => (stall.ms > longest.ms ? stall : longest), { ms: 0, line: "" });
}

/** The logs of gateways in a directory, by the names of their files. */
export function gatewayLogs(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => name.startsWith("gateway"));
  return names.map((name) => readFileSync(join(dir, name), "utf8"));
}
