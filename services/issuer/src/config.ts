import { isIP } from "node:net";

export const DEFAULT_ISSUER_PORT = 8085;

export type IssuerConfig = {
  host: string;
  port: number;
  /** Its URL, which its tokens have as `iss`. */
  issuer: string;
  /** Where keys, users and clients are kept. */
  dataDir: string;
};

/** @throws Error that names the variable */
export function readConfig(env: NodeJS.ProcessEnv): IssuerConfig {
  const port = Number(env.PORT || DEFAULT_ISSUER_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error("PORT must be a port between 1 and 65535");
  const host = env.ISSUER_HOST || env.HOST || "127.0.0.1";
  // Only ISSUER_HOST may bind it beyond loopback: everybody who can reach the issuer can sign in as anybody.
  if (!env.ISSUER_HOST && !isLoopback(host))
    throw new Error(
      "The development issuer lets everybody who reaches it sign in as anybody, so that it binds to this machine alone. " +
        "Set ISSUER_HOST to bind it elsewhere.",
    );
  return { ...readIssuer(env), host, port };
}

/** Who it is and where it keeps its keys, whether it runs or not. */
export function readIssuer(env: NodeJS.ProcessEnv): Pick<IssuerConfig, "issuer" | "dataDir"> {
  const issuer = env.DEVELOPMENT_ISSUER || `http://127.0.0.1:${env.PORT || DEFAULT_ISSUER_PORT}`;
  const url = URL.parse(issuer);
  if (url?.protocol !== "http:" || url.origin !== issuer)
    throw new Error("DEVELOPMENT_ISSUER must be a URL such as http://127.0.0.1:8085");
  return { issuer, dataDir: env.ISSUER_DATA_DIR || ".data/issuer" };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
