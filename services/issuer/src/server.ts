import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import type { IssuerConfig } from "./config.ts";
import { versionOfKeys } from "./keys.ts";
import { createProvider, SIGN_IN } from "./provider.ts";
import { signIn } from "./sign-in.ts";

/** The issuer, not listening yet. A key that was rotated counts from the next request on. */
export function issuerServer({ issuer, dataDir }: IssuerConfig, onError: (error: Error) => void): Server {
  const { host } = new URL(issuer);
  let provider = withErrors(createProvider(issuer, dataDir), onError);
  let version = versionOfKeys(dataDir);
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.url === "/health" || req.url === "/health/ready") return void res.end('{"status":"ok"}');
    // The library writes the request's host into the addresses that it gives out; a name that resolves to this machine must not be one.
    if (req.headers.host !== host) return void res.writeHead(421).end(`This is ${issuer}\n`);
    const now = versionOfKeys(dataDir);
    if (now !== version) {
      provider = withErrors(createProvider(issuer, dataDir), onError);
      version = now;
    }
    if (req.url?.startsWith(SIGN_IN)) return await signIn(provider, dataDir, req, res);
    await provider.callback()(req, res);
  };
  return createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      onError(Error.isError(error) ? error : new Error("unknown"));
      if (!res.headersSent) res.writeHead(400, { "content-type": "text/plain" });
      res.end("This sign-in is over: begin again.\n");
    });
  });
}

function withErrors(provider: Provider, onError: (error: Error) => void): Provider {
  provider.on("server_error", (_ctx, error) => onError(error));
  return provider;
}
