import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureRedisServer } from "../../cli/src/redis-binary.ts";
import { writeLocalKeys } from "../../lib/local-issuer.ts";
import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { root } from "../../lib/paths.ts";
import { GATEWAY, SERVICES } from "../../lib/services.ts";
import { startCluster } from "../../lib/testing/redis-cluster.ts";
import { Api } from "../api.ts";
import type { Caller } from "../ledger.ts";
import { fresh } from "../load/load.ts";
import { until } from "../pace.ts";
import type { Trial, TrialScope } from "./trial.ts";

/** Their keys lie in the slots of all masters. */
const TENANTS = 12;
const PLANS_EACH = 3;
/** From the first plan to the kill: some are running then, others are being accepted. */
const KILL_AFTER_MS = 300;
/** A run whose job was lost is looked for every 15 s. */
const ENDED_MS = 60_000;

/** What became of a plan; `lost`: the store does not have it any more. */
type End = "ok" | "failed" | "lost" | "not ended";

/**
 * A mesh of its own over a Redis Cluster: one of three masters is killed under running plans, and its replica takes over. Replication is
 * asynchronous, so a plan that was accepted just before may be lost with the master; all others have to end well.
 */
export const clusterFailover: Trial = {
  name: "a cluster's master killed",
  async run(scope) {
    const { ledger, random, size } = scope;
    const cluster = await startCluster(await ensureRedisServer(() => undefined));
    const keys = writeLocalKeys();
    let mesh: Mesh | undefined;
    try {
      mesh = await startGateways(scope, cluster.url, keys.file);
      mesh.onDeath(({ process, message }) => ledger.violate("process died", process, message));
      const gateways = mesh.processes.filter(({ name }) => name.startsWith(GATEWAY));
      const api = new Api(gateways, ledger, random.fork());
      const plans = () => Promise.all(callersOf(PLANS_EACH * size).map((caller) => plan(api, caller)));

      const running = plans();
      await sleep(KILL_AFTER_MS);
      const since = Date.now();
      await random.pick(cluster.masters).kill();
      ledger.count("master of a cluster killed");
      const before = await running;
      const after = await plans();
      const seconds = `${((Date.now() - since) / 1000).toFixed(1)} s`;

      const ends = [...before, ...after];
      const failed = ends.filter((end) => end === "failed" || end === "not ended").length;
      for (let n = 0; n < failed; n++) ledger.failedPlans.push("cluster");
      if (failed > 0) ledger.violate("plan failed though everything healed", "cluster", `${failed} of them`);
      if (after.includes("lost")) ledger.violate("run lost", "cluster", "accepted after the failover");
      return [
        ["plans over a failing cluster that ended ok", `${countOf(ends, "ok")} of ${ends.length}`],
        ["lost with its master, as they may be", String(countOf(before, "lost"))],
        ["all ended after its failure within", seconds],
      ];
    } finally {
      await mesh?.stop();
      await cluster.stop();
      keys.remove();
    }
  },
};

/** Two gateways that share the workers with the world's own. */
function startGateways({ world, signal }: TrialScope, redisUrl: string, jwksFile: string): Promise<Mesh> {
  const [way] = world.gateways;
  return startMesh({
    services: SERVICES.filter(({ name }) => name === GATEWAY),
    replicas: { [GATEWAY]: 2 },
    redisUrl,
    env: {
      MESH_FILE: join(root, "scripts/chaos/mesh.yaml"),
      JWKS_FILE: jwksFile,
      LOG_LEVEL: "warn",
      WORKER_URL: `http://127.0.0.1:${way?.toAgents.port}`,
      FRAIL_URL: `http://127.0.0.1:${way?.toFrail.port}`,
    },
    signal,
  });
}

function callersOf(each: number): Caller[] {
  const tenants = Array.from({ length: TENANTS }, (_, n) => `slot-${n}`);
  return tenants.flatMap((tenant) =>
    Array.from({ length: each }, () => ({ user: "ann", tenant, roles: [] })),
  );
}

/** Starts a plan, as often as the answer says that it may be repeated, and waits for its end. */
async function plan(api: Api, caller: Caller): Promise<End> {
  const body = { session_id: fresh("s"), flow: "change", inputs: { ms: 300, beats: 2, gate: false } };
  const accepted = await api.settle("POST", "/runs", caller, { body, key: fresh("run") });
  if (accepted.status !== 202) return "failed";
  let end: End = "not ended";
  await until(async () => {
    const { status, body: run } = await api.settle("GET", `/runs/${accepted.body.run_id}`, caller);
    if (status === 404) end = "lost";
    else if (run.state === "finished") end = "ok";
    else if (run.state === "failed" || run.state === "needs_review") end = "failed";
    return end !== "not ended";
  }, ENDED_MS);
  return end;
}

function countOf(ends: readonly End[], wanted: End): number {
  return ends.filter((end) => end === wanted).length;
}
