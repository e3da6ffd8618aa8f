import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Egress, EgressRules } from "../../../services/gateway/src/egress/index.ts";
import { LargeValues, type Mesh } from "../../../services/gateway/src/mesh/index.ts";
import { ToolServers, Tools } from "../../../services/gateway/src/tools/index.ts";
import { spreadOf } from "../load/figures.ts";
import type { Measure, Values } from "./measure.ts";

const SERVER = fileURLToPath(new URL("../sut/mcp.ts", import.meta.url));
const CALLER = { tenant: "bench", issuer: "bench", subject: "bench", roles: [] };

/** Rounds in which the ways take turns; the first one is the compiler's. */
const ROUNDS = 5;
const CALLS = 200;

/** One call, with an argument that no other has where the way wants that. */
type Way = (at: number) => Promise<unknown>;

/**
 * The same tool, called directly by the protocol's own client, and through the tools of the gateway without and with a kept result. One
 * call at a time, in this process; the server is another one.
 */
export const tools: Measure = {
  name: "tools",
  title: "A call of an MCP server's tool, kept and not, against calling the server directly",
  async run() {
    const child = spawn(process.execPath, [SERVER], { stdio: ["ignore", "pipe", "inherit"] });
    const values = new LargeValues({ largeTimeoutMs: 2_000, largeMemoryMb: 128 });
    const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
    let servers: ToolServers | undefined;
    try {
      const { value: url = "" } = await createInterface({ input: child.stdout })
        [Symbol.asyncIterator]()
        .next();
      servers = serversAt(url);
      await servers.start();
      const room = new Tools({
        servers,
        may: () => true,
        rightsOf: () => ({ roles: [], rows: {} }),
        sign: () => "",
        judge: (...value) => values.judge(...value),
        cacheBytes: 32 * 1024 * 1024,
      });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const { signal } = new AbortController();
      const through = async (item: string, wanted: "hit" | "miss") => {
        const { result, cache } = await room.call({
          caller: CALLER,
          name: "stock.count",
          args: { item },
          signal,
        });
        if (result.isError || cache !== wanted) throw new Error(`a call was ${cache}, not ${wanted}`);
      };
      await through("kept", "miss");
      return await takeTurns({
        direct: (at) => client.callTool({ name: "count", arguments: { item: `direct ${at}` } }),
        uncached: (at) => through(`new ${at}`, "miss"),
        cached: () => through("kept", "hit"),
      });
    } finally {
      await client.close();
      await servers?.close();
      await values.close();
      child.kill();
    }
  },
};

function serversAt(url: string): ToolServers {
  const spec = {
    ...{ name: "stock", url, signed: false, contentTypes: ["text/*"], tools: new Map() },
    ...{ timeoutMs: 30_000, maxResultBytes: 1024 * 1024, maxConcurrency: 8 },
  };
  const tools: Mesh["tools"] = {
    ...{ servers: new Map([["stock", spec]]), pin: false, acceptedFile: "", accepted: {} },
    cacheBytes: 0,
  };
  return new ToolServers({
    ...{
      tools,
      egress: new Egress({ rules: new EgressRules({ loopback: true }) }),
      taken: [],
      secret: () => undefined,
      isInjection: () => false,
    },
  });
}

async function takeTurns(ways: Readonly<Record<string, Way>>): Promise<Values> {
  const cpuUs = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  const p50Us = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  let at = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, call] of Object.entries(ways)) {
      const took: number[] = [];
      const before = process.cpuUsage();
      for (let one = 0; one < CALLS; one++) {
        const since = performance.now();
        await call(at++);
        took.push(1_000 * (performance.now() - since));
      }
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      cpuUs.get(name)?.push((user + system) / CALLS);
      p50Us.get(name)?.push(spreadOf(took).p50);
    }
  }
  // Whatever else the machine does adds to a round: the least one has the least of it.
  const least = (of: Map<string, number[]>, name: string) => Math.min(...(of.get(name) ?? []));
  return {
    directCpuUs: least(cpuUs, "direct"),
    uncachedCpuUs: least(cpuUs, "uncached"),
    cachedCpuUs: least(cpuUs, "cached"),
    share: least(cpuUs, "direct") / least(cpuUs, "uncached"),
    directP50Us: least(p50Us, "direct"),
    uncachedP50Us: least(p50Us, "uncached"),
    cachedP50Us: least(p50Us, "cached"),
  };
}
