import { Redis, type RedisOptions } from "ioredis";
import { GatewayError } from "../errors.ts";

/**
 * The gateway's connections, three for the whole replica: one for requests, which gives up soon so that callers hear 503; one for the
 * event log, which waits for the store to come back (its script is safe to resend); one that blocks in reads.
 */
export type Connections = {
  commands: Redis;
  log: Redis;
  reader: Redis;
  close(): Promise<void>;
};

/** Milliseconds that a blocking read waits at the most; a connection silent for longer than twice that is taken for dead. */
export const BLOCK_MS = 5_000;

/** A connection that has not answered for so long is dead, although nobody said so: a new one takes over what it was asked. */
export const SILENCE_MS = 5_000;

/** The library's own option type does not fit its constructor where optional properties are exact. */
type Options = Omit<RedisOptions, "replyMapping">;

export function connect(url: string, onError: (name: string, error: Error) => void): Connections {
  const open = (name: string, options: Options): Redis => {
    const common: Options = {
      connectionName: `gateway-${name}`,
      connectTimeout: 2_000,
      keepAlive: 5_000,
      noDelay: true,
      retryStrategy: (attempt) => Math.min(50 * attempt, 500),
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
    };
    const redis = new Redis(url, { ...common, ...options });
    redis.on("error", (error: Error) => onError(name, error));
    return redis;
  };
  const connections = [
    open("commands", {
      maxRetriesPerRequest: 1,
      commandTimeout: 3_000,
      socketTimeout: SILENCE_MS,
      enableAutoPipelining: true,
      // These gather their work themselves.
      autoPipeliningIgnoredCommands: ["evalsha"],
    }),
    open("log", { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS }),
    // A blocking read that was cut off fails rather than being sent again as it was: by then there may be more to read.
    open("reader", { maxRetriesPerRequest: 0, socketTimeout: 2 * BLOCK_MS }),
  ] as const;
  const [commands, log, reader] = connections;
  return {
    commands,
    log,
    reader,
    async close() {
      // One that is closed already would wait for its end once more.
      for (const redis of connections) if (redis.status !== "end") redis.disconnect();
    },
  };
}

/** Runs store work of a request; whatever the store does wrong becomes `store_unavailable`, and its words (which hold arguments) go no further. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError("store_unavailable", undefined, { headers: { "retry-after": "1" } });
  }
}
