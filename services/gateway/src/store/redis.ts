import type { StoreTls } from "@interlock/contracts/settings";
import { Cluster, ReplyError } from "ioredis";
import { GatewayError } from "../errors.ts";
import {
  type ClientOptions,
  disconnect,
  openRedis,
  type Patience,
  type RedisClient,
  readRedisUrl,
} from "./redis-url.ts";
import { clusterTails, serverTails, type Tails } from "./tails.ts";

/**
 * The connections of a replica. `commands` serves requests and gives up soon, so that callers get 503. `log` writes events and waits for
 * Redis to come back; its script is safe to send again.
 */
export type Connections = {
  commands: RedisClient;
  log: RedisClient;
  tails: Tails;
  /** Opens a connection for writes that wait for replicas; see {@link Replication}. */
  openWaiting: () => RedisClient;
  close(): Promise<void>;
};

/** Longest time that a blocking read waits. A connection that is silent for twice as long is considered dead. */
export const BLOCK_MS = 5_000;

/** A connection that leaves a command unanswered for this long is considered dead: the client reconnects and sends the command again. */
export const SILENCE_MS = 5_000;

/**
 * How long a request's command waits for its answer. Auto-pipelining sends one batch at a time, so a command may have waited as long for the
 * batch before it: a request hears within twice this time that Redis is silent.
 */
const COMMAND_MS = 1_500;

export function connect(
  url: string,
  onError: (name: string, error: Error) => void,
  tls: StoreTls = {},
): Connections {
  const open = (name: string, options: ClientOptions & Patience): RedisClient => {
    const common: ClientOptions = {
      connectionName: `gateway-${name}`,
      // Older servers do not know the command, and the user of users.acl may not use it.
      disableClientInfo: true,
      connectTimeout: 2_000,
      keepAlive: 5_000,
      noDelay: true,
      retryStrategy: (attempt) => Math.min(50 * attempt, 500),
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
    };
    const redis = openRedis(url, tls, { ...common, ...options });
    redis.on("error", (error: Error) => onError(name, error));
    return redis;
  };
  const commands = open("commands", {
    maxRetriesPerRequest: 1,
    redirections: 16,
    commandTimeout: COMMAND_MS,
    socketTimeout: SILENCE_MS,
    enableAutoPipelining: true,
    ...(readRedisUrl(url)?.kind === "cluster" ? { enableOfflineQueue: false } : {}),
    // Scripts batch their own calls (GroupCall), so they bypass auto-pipelining.
    autoPipeliningIgnoredCommands: ["evalsha"],
  });
  const log = open("log", {
    maxRetriesPerRequest: null,
    redirections: 100_000,
    socketTimeout: SILENCE_MS,
  });
  // A blocking read that was cut off must fail, not be sent again: its cursors may be out of date by then.
  const blocking: ClientOptions = { maxRetriesPerRequest: 0, socketTimeout: 2 * BLOCK_MS };
  const tails =
    commands instanceof Cluster
      ? clusterTails(commands, { ...blocking, connectionName: "gateway-reader" })
      : serverTails(commands, open("reader", { ...blocking, redirections: 0 }));
  return {
    commands,
    log,
    tails,
    openWaiting: () =>
      open("waiting", { maxRetriesPerRequest: 1, redirections: 16, socketTimeout: SILENCE_MS }),
    async close() {
      tails.close();
      for (const redis of [commands, log]) disconnect(redis);
    },
  };
}

/** Runs a request's work on the store. @throws GatewayError store_unavailable, internal */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Replies with which the store refuses a command for now; a password, too, can be set right without this gateway. */
const PASSING =
  /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOREPLICAS|OOM|READONLY|TRYAGAIN|WRONGPASS)\b/;

/** Replies that a server gives after a restart or a failover: the command may have been sent, and executed, before. */
const AFTER_FAILOVER = /^(CLUSTERDOWN|LOADING|MASTERDOWN|READONLY)\b/;

/** Whether the store has refused the command: it did not execute it. */
export function isRefusal(error: unknown): boolean {
  return isReply(error) && !AFTER_FAILOVER.test(error.message);
}

function isReply(error: unknown): error is Error {
  return error instanceof ReplyError;
}

/**
 * What a failure of the store is to a caller: the store is not available, or a command failed for a reason that stays. The store's own
 * error is dropped, since its message holds the command's arguments.
 */
export function toStoreError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (!isReply(error) || PASSING.test(error.message)) return unavailable();
  const [word = ""] = /^[A-Z]+/.exec(error.message) ?? [];
  return new GatewayError("internal", undefined, { cause: new StoreError(word) });
}

export function unavailable(): GatewayError {
  return new GatewayError("store_unavailable", undefined, { headers: { "retry-after": "1" } });
}

/** An error reply of the store, reduced to its first word. */
class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: string;

  constructor(code: string) {
    super("The store refused a command.");
    this.code = code;
  }
}

/** Milliseconds by the store's clock: the clocks of the gateways do not matter. */
export async function storeTime(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
