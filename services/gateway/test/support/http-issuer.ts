import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { MeshIssuer } from "@interlock/contracts";
import { Agent } from "undici";
import { getJson } from "../../src/get-json.ts";
import { authenticator, type Identify, issuersOf } from "../../src/identity/index.ts";
import type { SigningKey } from "./issuer.ts";

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

export type HttpIssuer = {
  readonly url: string;
  /** Paths of the requests that it got. */
  readonly asked: readonly string[];
  /** Publishes exactly these keys from now on. */
  publish(...keys: SigningKey[]): void;
  /** Answers a path in another way. */
  answer(path: string, handler: Handler): void;
  /** Stops listening; `start` listens at the same address again. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** A real issuer over HTTP, with discovery and a JWKS. */
export async function httpIssuer(...keys: SigningKey[]): Promise<HttpIssuer> {
  const asked: string[] = [];
  let published: readonly SigningKey[] = keys;
  let url = "";
  const json =
    (body: () => unknown): Handler =>
    (_req, res) =>
      void res.setHeader("content-type", "application/json").end(JSON.stringify(body()));
  const paths = new Map<string, Handler>([
    ["/.well-known/openid-configuration", json(() => ({ issuer: url, jwks_uri: `${url}/jwks` }))],
    ["/jwks", json(() => ({ keys: published.map(({ jwk }) => jwk) }))],
  ]);
  const server = createServer((req, res) => {
    asked.push(req.url ?? "");
    const handler = paths.get(req.url ?? "");
    if (handler) handler(req, res);
    else res.writeHead(404).end();
  });
  const start = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await start(0);
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    asked,
    publish: (...now) => {
      published = now;
    },
    answer: (path, handler) => void paths.set(path, handler),
    start: () => start(port),
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type Gate = {
  identify: Identify;
  /** What it was told of refusals. */
  refusals: { issuer: string; code: string }[];
  stop(): Promise<void>;
};

/** The identity room alone, with real requests to issuers; every request needs a token. */
export function gate(
  issuers: Readonly<Record<string, Partial<MeshIssuer> & { issuer: string }>>,
  env: Readonly<Record<string, string>> = {},
  timeoutMs = 10_000,
): Gate {
  const dispatcher = new Agent();
  const { signal } = new AbortController();
  const declared = Object.entries(issuers).map(([name, one]) => [name, { audience: ["interlock"], ...one }]);
  const refusals: Gate["refusals"] = [];
  const options = { host: "0.0.0.0", authRequired: true, corsOrigins: [] };
  return {
    identify: authenticator(
      issuersOf(Object.fromEntries(declared), {
        secret: (variable) => env[variable],
        cacheS: 300,
        async getJson(url) {
          const limits = { timeoutMs, maxBytes: 512 * 1024 };
          const answer = await getJson(url, { dispatcher, signal, ...limits });
          return answer?.status === 200 ? answer.body : undefined;
        },
      }),
      { ...options, onRefused: (refusal) => refusals.push(refusal) },
    ),
    refusals,
    stop: () => dispatcher.destroy(),
  };
}
