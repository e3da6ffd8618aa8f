import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { type Guard, startGuard } from "../guard.ts";
import { freePorts } from "../ports.ts";

export type ClusterNode = { port: number; id: string; client: Redis; kill(): Promise<void> };

export type RedisCluster = {
  /** For REDIS_URL. */
  url: string;
  masters: ClusterNode[];
  replicas: ClusterNode[];
  stop(): Promise<void>;
};

const HOST = "127.0.0.1";
const SLOTS = 16_384;
const NODES = 3;

/**
 * Three masters and a replica of each, which end with this process. The nodes talk to each other on a port 10,000 above their own.
 * @param server the program of redis-server
 */
export async function startCluster(server = "redis-server"): Promise<RedisCluster> {
  const guard = startGuard();
  const dir = mkdtempSync(join(tmpdir(), "interlock-cluster-"));
  guard.scratch(dir);
  const ports = await freePorts(2 * NODES, HOST);
  const nodes = await Promise.all(ports.map((port) => startNode({ server, port, dir, guard })));
  const [first] = nodes;
  const masters = nodes.slice(0, NODES);
  const replicas = nodes.slice(NODES);
  const share = Math.ceil(SLOTS / NODES);
  for (const [n, { client }] of masters.entries()) {
    await client.call("CLUSTER", "ADDSLOTSRANGE", n * share, Math.min((n + 1) * share, SLOTS) - 1);
    // Without distinct epochs the nodes would have to agree on them first.
    await client.call("CLUSTER", "SET-CONFIG-EPOCH", n + 1);
  }
  for (const { client } of nodes.slice(1)) await client.call("CLUSTER", "MEET", HOST, first?.port ?? 0);
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
    url: `redis+cluster://${masters.map(({ port }) => `${HOST}:${port}`).join(",")}`,
    masters,
    replicas,
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(dir, { recursive: true, force: true });
      await guard.close();
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
    await from.client.call("MIGRATE", HOST, to.port, "", 0, 5_000, "KEYS", ...keys);
  }
  for (const { client } of [to, from]) await client.call("CLUSTER", "SETSLOT", slot, "NODE", to.id);
}

type NodeOptions = { server: string; port: number; dir: string; guard: Guard };

async function startNode({ server, port, dir, guard }: NodeOptions): Promise<ClusterNode> {
  const own = mkdtempSync(join(dir, "node-"));
  const args = ["--bind", HOST, "--port", String(port), "--dir", own, "--save", "", "--appendonly", "yes"];
  const cluster = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
  const child: ChildProcess = spawn(server, [...args, ...cluster], { stdio: "ignore" });
  const { pid } = child;
  if (pid !== undefined) guard.watch(pid, true);
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
      if (pid !== undefined) guard.forget(pid);
    },
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
