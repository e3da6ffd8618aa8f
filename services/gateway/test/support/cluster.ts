import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./redis.ts";
import { until } from "./until.ts";

export type ClusterNode = { port: number; id: string; client: Redis; kill(): Promise<void> };

export type RedisCluster = {
  /** For REDIS_URL. */
  url: string;
  masters: ClusterNode[];
  replicas: ClusterNode[];
  stop(): Promise<void>;
};

const SLOTS = 16_384;
const NODES = 3;

/** Three masters and a replica of each. The nodes talk to each other on a port 10,000 above their own. */
export async function startCluster(): Promise<RedisCluster> {
  const dir = mkdtempSync(join(tmpdir(), "interlock-cluster-"));
  const nodes: ClusterNode[] = [];
  for (let n = 0; n < 2 * NODES; n++) nodes.push(await startNode(dir));
  const [first] = nodes;
  const masters = nodes.slice(0, NODES);
  const replicas = nodes.slice(NODES);
  const share = Math.ceil(SLOTS / NODES);
  for (const [n, { client }] of masters.entries()) {
    await client.call("CLUSTER", "ADDSLOTSRANGE", n * share, Math.min((n + 1) * share, SLOTS) - 1);
    // Without distinct epochs the nodes would have to agree on them first.
    await client.call("CLUSTER", "SET-CONFIG-EPOCH", n + 1);
  }
  for (const { client } of nodes.slice(1))
    await client.call("CLUSTER", "MEET", "127.0.0.1", first?.port ?? 0);
  const info = async ({ client }: ClusterNode) => String(await client.cluster("INFO"));
  await until(async () => {
    const known = await Promise.all(nodes.map(info));
    return known.every((text) => text.includes(`cluster_known_nodes:${nodes.length}`));
  });
  for (const [n, { client }] of replicas.entries())
    await client.call("CLUSTER", "REPLICATE", masters[n]?.id ?? "");
  await until(async () =>
    (await Promise.all(nodes.map(info))).every((text) => text.includes("cluster_state:ok")),
  );
  await until(async () => {
    const links = await Promise.all(replicas.map(({ client }) => client.info("replication")));
    return links.every((text) => text.includes("master_link_status:up"));
  });
  return {
    url: `redis+cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(",")}`,
    masters,
    replicas,
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The master that holds a slot now, as another node sees it. */
export async function ownerOf(
  { masters }: RedisCluster,
  slot: number,
  ask: ClusterNode,
): Promise<ClusterNode> {
  const ranges = await ask.client.cluster("SLOTS");
  const [, , holder] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
  const id = holder?.[2];
  const owner = masters.find((node) => node.id === id);
  if (!owner) throw new Error(`no master that was started holds slot ${slot}`);
  return owner;
}

/** Moves a slot with all its keys to another master, as `redis-cli --cluster reshard` does. */
export async function moveSlot(slot: number, from: ClusterNode, to: ClusterNode): Promise<void> {
  await to.client.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.id);
  await from.client.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id);
  for (;;) {
    const keys = (await from.client.cluster("GETKEYSINSLOT", slot, 100)) as string[];
    if (keys.length === 0) break;
    await from.client.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5_000, "KEYS", ...keys);
  }
  for (const { client } of [to, from]) await client.call("CLUSTER", "SETSLOT", slot, "NODE", to.id);
}

async function startNode(dir: string): Promise<ClusterNode> {
  let port = 0;
  do port = await freePort();
  while (port > 55_000);
  const own = mkdtempSync(join(dir, "node-"));
  const args = [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    own,
    "--save",
    "",
    "--appendonly",
    "yes",
  ];
  const cluster = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
  const child: ChildProcess = spawn("redis-server", [...args, ...cluster], { stdio: "ignore" });
  const client = new Redis(port, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  const id = String(await client.cluster("MYID"));
  return {
    port,
    id,
    client,
    async kill() {
      client.disconnect();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
