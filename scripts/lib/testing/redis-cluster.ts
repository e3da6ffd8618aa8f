import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { type Guard, startGuard } from "../../cli/src/guard.ts";
import { freePorts } from "../../cli/src/ports.ts";

export type ClusterNode = { port: number; busPort: number; id: string; client: Redis; kill(): Promise<void> };

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
 * Three masters and a replica of each, which end with this process. Each has another port on which the nodes talk to each other.
 * @param server the program of redis-server
 */
export async function startCluster(server = "redis-server"): Promise<RedisCluster> {
  const guard = startGuard();
  const dir = mkdtempSync(join(tmpdir(), "interlock-cluster-"));
  guard.scratch(dir);
  const nodes = await startNodes({ server, dir, guard });
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
    await client.call("CLUSTER", "MEET", HOST, first?.port ?? 0, first?.busPort ?? 0);
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

type Surroundings = { server: string; dir: string; guard: Guard };

const MOST_TRIES = 3;

/** Somebody may take a port after it was found free: then all nodes get other ones. */
async function startNodes(surroundings: Surroundings, tries = 1): Promise<ClusterNode[]> {
  const ports = await freePorts(4 * NODES, HOST);
  const pairs = Array.from(
    { length: 2 * NODES },
    (_, n) => [ports[2 * n] ?? 0, ports[2 * n + 1] ?? 0] as const,
  );
  const results = await Promise.allSettled(
    pairs.map(([port, busPort]) => startNode({ ...surroundings, port, busPort })),
  );
  const nodes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (nodes.length === pairs.length) return nodes;
  await Promise.all(nodes.map((node) => node.kill()));
  if (tries === MOST_TRIES) throw new Error("a node of the cluster did not start");
  return await startNodes(surroundings, tries + 1);
}

type NodeOptions = Surroundings & { port: number; busPort: number };

async function startNode({ server, port, busPort, dir, guard }: NodeOptions): Promise<ClusterNode> {
  const own = mkdtempSync(join(dir, "node-"));
  const args = ["--bind", HOST, "--port", String(port), "--dir", own, "--save", "", "--appendonly", "yes"];
  const cluster = [
    "--cluster-enabled",
    "yes",
    "--cluster-node-timeout",
    "1000",
    "--cluster-port",
    String(busPort),
  ];
  const child: ChildProcess = spawn(server, [...args, ...cluster], { stdio: "ignore" });
  const { pid } = child;
  if (pid !== undefined) guard.watch(pid, true);
  const client = new Redis(port, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  const ended = once(child, "exit").then(() => {
    client.disconnect();
    throw new Error("the node ended");
  });
  // Later it ends when it is killed.
  ended.catch(() => undefined);
  const id = String(await Promise.race([client.cluster("MYID"), ended]));
  return {
    port,
    busPort,
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
