import type { StoreTls } from "@interlock/contracts/settings";
import { Cluster, Redis, type RedisOptions } from "ioredis";

/** A connection to one server, to the one that Sentinel names, or to a cluster. */
export type RedisClient = Redis | Cluster;

/** The library's own option type does not fit its constructor where optional properties are exact. */
export type ClientOptions = Omit<RedisOptions, "replyMapping">;

/** BullMQ tries again by itself. */
const QUEUE_REDIRECTIONS = 100;

/** How often a command is sent again, 100 ms apart, while its node of a cluster fails over. */
export type Patience = { redirections: number };

type Node = { host: string; port: number };
type Access = { username?: string; password?: string; tls?: StoreTls };
type Place =
  | { kind: "server"; access: Pick<Access, "tls"> }
  | { kind: "sentinel"; nodes: Node[]; access: Access; name: string }
  | { kind: "cluster"; nodes: Node[]; access: Access };

const SERVER = /^rediss?:\/\/[^,]+$/;
const SEVERAL = /^rediss?(\+cluster|\+sentinel)?:\/\/(?:([^@/]*)@)?([^@/]+?)(?:\/([\w.-]*))?$/;
const PORTS = { cluster: 6_379, sentinel: 26_379 };

/**
 * Reads `redis://host`, `redis+cluster://host,host` or `redis+sentinel://host,host/name`; with `rediss` for TLS, and with credentials of
 * the servers before the hosts. Several hosts of `redis://` are a cluster.
 * @param tls what TLS uses beside the system's certificate authorities
 * @returns undefined where the text is none of them
 */
export function readRedisUrl(text: string, tls: StoreTls = {}): Place | undefined {
  const encrypted: Access = text.startsWith("rediss") ? { tls } : {};
  if (SERVER.test(text)) return { kind: "server", access: encrypted };
  const [, mark, credentials = "", hosts = "", name = ""] = SEVERAL.exec(text) ?? [];
  const kind = mark === "+sentinel" ? "sentinel" : "cluster";
  const urls = hosts.split(",").map((host) => URL.parse(`redis://${host}`));
  const nodes = urls.flatMap((url) =>
    url?.hostname ? [{ host: url.hostname, port: Number(url.port) || PORTS[kind] }] : [],
  );
  if (nodes.length < urls.length || (kind === "sentinel") !== (name !== "")) return undefined;
  const [username, password] = credentials.split(":").map(decodeURIComponent);
  const access: Access = encrypted;
  if (username) access.username = username;
  if (password) access.password = password;
  return kind === "sentinel" ? { kind, nodes, access, name } : { kind, nodes, access };
}

/** The servers that REDIS_URL names. */
export function redisEndpoints(text: string): Node[] {
  const place = readRedisUrl(text);
  if (place === undefined || place.kind !== "server") return place?.nodes ?? [];
  const url = URL.parse(text);
  return url?.hostname ? [{ host: url.hostname, port: Number(url.port) || PORTS.cluster }] : [];
}

/** Connects to what REDIS_URL names. */
export function openRedis(
  url: string,
  tls: StoreTls,
  { redirections, ...options }: ClientOptions & Patience,
): RedisClient {
  const place = readRedisUrl(url, tls);
  switch (place?.kind) {
    case "server":
      return new Redis(url, { ...options, ...place.access });
    case "sentinel":
      return new Redis({ ...options, ...bySentinel(place) });
    case "cluster":
      return clusterOf(place, { ...options, redirections });
    default:
      throw new Error("not a URL of Redis");
  }
}

/**
 * What BullMQ connects with: options for connections that it opens and closes itself, or a client of a cluster, which the caller has to
 * disconnect.
 */
export function queueConnection(
  url: string,
  tls: StoreTls,
  options: {
    socketTimeout: number;
    retryStrategy: (attempt: number) => number | null;
    maxRetriesPerRequest: null;
    disableClientInfo: true;
  },
) {
  const place = readRedisUrl(url, tls);
  if (place?.kind === "cluster") return clusterOf(place, { ...options, redirections: QUEUE_REDIRECTIONS });
  if (place?.kind === "sentinel") return { ...options, ...bySentinel(place) };
  return { ...options, ...place?.access, url };
}

/** With TLS the sentinels have to speak it too. */
function bySentinel({ nodes, access, name }: Extract<Place, { kind: "sentinel" }>) {
  const encrypted = access.tls ? { sentinelTLS: access.tls, enableTLSForSentinelMode: true } : {};
  return { ...access, ...encrypted, sentinels: nodes, name };
}

function clusterOf(
  { nodes, access }: Extract<Place, { kind: "cluster" }>,
  { redirections, ...options }: ClientOptions & Patience,
): Cluster {
  const { enableAutoPipelining = false, autoPipeliningIgnoredCommands = [] } = options;
  const { enableOfflineQueue = true, retryStrategy, ...ofNodes } = options;
  return new Cluster(nodes, {
    redisOptions: { ...ofNodes, ...access },
    enableAutoPipelining,
    autoPipeliningIgnoredCommands,
    enableOfflineQueue,
    maxRedirections: redirections,
    // A certificate names the host, not the address that it resolves to.
    ...(access.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    ...(retryStrategy ? { clusterRetryStrategy: retryStrategy } : {}),
  });
}

/** Disconnecting a connection that has ended already would make it wait for an end that does not come. */
export function disconnect(redis: RedisClient): void {
  if (redis.status !== "end") redis.disconnect();
}
