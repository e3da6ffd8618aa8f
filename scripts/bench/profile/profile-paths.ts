import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../lib/ports.ts";
import { Load } from "../load/load.ts";
import { decide } from "../measures/approvals.ts";
import { countAsks } from "../measures/asks.ts";
import { countStreams } from "../measures/streams.ts";
import { type Cores, pin } from "../os/cores.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import { Profiler } from "./profiler.ts";
import { type ProfileSummary, summarise } from "./summary.ts";

/** Where the gateway's time goes on one path. */
export type ProfileResult = ProfileSummary & { readonly path: string; readonly title: string };

type Context = { readonly load: Load; readonly signal: AbortSignal };
type Path = {
  readonly path: string;
  readonly title: string;
  run(rig: Rig, context: Context): Promise<unknown>;
};

const TOP = 18;

const PATHS: readonly Path[] = [
  {
    path: "ask32",
    title: "Simple ask, 32 at once",
    run: ({ gateways }, context) =>
      countAsks(context, { urls: gateways, side: "gateway", concurrency: 32 }, 3, []),
  },
  {
    path: "burst",
    title: "Burst of events",
    run: ({ gateways: [url = ""] }, context) =>
      countStreams(context, { url, side: "gateway", streams: 50, events: 100, everyMs: 0 }, 3, []),
  },
  {
    path: "paced",
    title: "Paced events",
    run: ({ gateways: [url = ""] }, context) =>
      countStreams(context, { url, side: "gateway", streams: 200, events: 50, everyMs: 20 }, 3, []),
  },
  {
    path: "approvals",
    title: "Pauses and resumes",
    run: ({ gateways: [url = ""], worker }, context) =>
      decide(context, { url, worker, runs: 2_000, concurrency: 32 }),
  },
  {
    path: "idle",
    title: "2,000 open streams that say nothing",
    run: async ({ gateways: [url = ""] }, { load, signal }) => {
      const held = await load.call("openHeld", url, 0, "own");
      if (held.open === 0) await load.call("openHeld", url, 2_000, "own");
      await delay(6_000, undefined, { signal });
    },
  },
];

/**
 * Profiles the gateway on each path: once to warm up, once counted. The whole profiles, which DevTools opens, go to `directory`.
 */
export async function profilePaths(options: {
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  readonly directory: string;
  readonly say: (text: string) => void;
}): Promise<ProfileResult[]> {
  const { cores, signal, directory, say } = options;
  mkdirSync(directory, { recursive: true });
  const port = await freePort("127.0.0.1");
  const rig = await startRig({ cores, signal, gatewayEnv: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` } });
  const load = new Load();
  const results: ProfileResult[] = [];
  try {
    if (cores) {
      pin([load.pid], [cores.harness]);
      // On the gateway's core it would run in the middle of the write that wakes it, and that write would seem to take so long.
      pin([rig.mesh.find("redis").pid ?? 0], [cores.harness]);
    }
    const profiler = await Profiler.connect(port);
    for (const { path, title, run } of PATHS) {
      await run(rig, { load, signal });
      await delay(300, undefined, { signal });
      await profiler.start();
      await run(rig, { load, signal });
      const profile = await profiler.stop();
      const file = join(directory, `${path}.cpuprofile`);
      writeFileSync(file, JSON.stringify(profile));
      say(`${path}: ${file}`);
      results.push({ path, title, ...summarise(profile, TOP) });
    }
    profiler.close();
  } finally {
    await load.stop();
    await rig.stop();
  }
  return results;
}
