import type { Cluster, Redis } from "ioredis";
import { type ClientOptions, disconnect, type RedisClient } from "./redis-url.ts";

/** Connections for reads that block until a log grows. One read may name several logs, but in a cluster only logs of one slot. */
export type Tails = {
  /** Logs of one group may be read together. */
  groupOf(key: string): string;
  /** Connects to the server that holds the log. */
  open(key: string): Promise<TailConnection>;
  close(): void;
};

export type TailConnection = {
  blocking: RedisClient;
  /** Another connection to the same server. */
  beside: RedisClient;
  /** @param failed whether the read failed: the log may lie on another server by now */
  close(failed: boolean): void;
};

/** One server: all logs are read over one connection. */
export function serverTails(commands: RedisClient, blocking: RedisClient): Tails {
  const connection = { blocking, beside: commands, close: () => undefined };
  return {
    groupOf: () => "",
    open: async () => connection,
    close: () => disconnect(blocking),
  };
}

/** A cluster: the logs of each tenant, which lie in one slot, are read over a connection of their own, while somebody follows them. */
export function clusterTails(cluster: Cluster, options: ClientOptions): Tails {
  const open = new Set<Redis>();
  return {
    groupOf: (key) => /\{(.+?)\}/.exec(key)?.[1] ?? key,
    async open(key) {
      const owner = cluster.slots[Number(await cluster.cluster("KEYSLOT", key))]?.[0];
      const node = cluster.nodes("master").find((one) => `${one.options.host}:${one.options.port}` === owner);
      if (!node) {
        cluster.refreshSlotsCache();
        throw new Error("the node of this log is not known");
      }
      const blocking = node.duplicate({ ...options, lazyConnect: false, retryStrategy: () => null });
      // Its commands fail, which is how the reader notices.
      blocking.on("error", () => undefined);
      open.add(blocking);
      return {
        blocking,
        beside: node,
        close(failed) {
          open.delete(blocking);
          disconnect(blocking);
          if (failed) cluster.refreshSlotsCache();
        },
      };
    },
    close() {
      for (const blocking of open) disconnect(blocking);
    },
  };
}
