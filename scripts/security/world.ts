import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writtenManifest } from "../../services/gateway/src/mesh/index.ts";
import { jwt, newKey, type SigningKey } from "../../services/gateway/test/support/issuer.ts";
import { type Mesh, startMesh } from "../lib/mesh.ts";
import { root } from "../lib/paths.ts";
import { GATEWAY, SERVICES } from "../lib/services.ts";

/** A mesh as it is shipped, with an issuer that does what attacks want. */
export type World = {
  /** A gateway on which every request needs a token. */
  readonly url: string;
  /** A gateway that serves requests of this machine without one. */
  readonly open: string;
  readonly redisUrl: string;
  readonly issuer: Issuer;
  /** Agents by their task type. */
  readonly agents: Readonly<Record<string, Agent>>;
  /** What the gateways and agents have logged so far; or one of them, by its name. */
  logs(name?: string): string;
  stop(): Promise<void>;
};

export type Agent = { readonly name: string; readonly url: string };

/** Places of the issuer's server at which the manifest expects issuers, and how each behaves. */
export const PLACES = ["main", "second", "rotating", "slow", "broken", "redirecting", "crowded"] as const;
export type Place = (typeof PLACES)[number];

/** The secret of an issuer that signs with HS256. */
export const SHARED_SECRET = "a secret of the security suite alone, long enough";

/** An issuer under the suite's control: it publishes the keys that it is told to. */
export class Issuer {
  readonly keys: Record<Place, SigningKey[]>;
  /** Requests for keys so far, by place. */
  readonly asked: Record<Place, number>;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.keys = Object.fromEntries(PLACES.map((place) => [place, [newKey(`${place}-1`)]])) as Issuer["keys"];
    this.asked = Object.fromEntries(PLACES.map((place) => [place, 0])) as Issuer["asked"];
    server.on("request", (req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<Issuer> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Issuer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  urlOf(place: Place): string {
    return `http://127.0.0.1:${this.port}/${place}`;
  }

  /** The claims of a good token. */
  claims(more: object = {}, place: Place = "main"): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000);
    const common = {
      iss: this.urlOf(place),
      aud: "interlock",
      iat: now,
      exp: now + 3_600,
      jti: randomUUID(),
    };
    return { ...common, sub: "ann", tenant: "default", roles: ["analyst"], ...more };
  }

  /** A good token with other claims, signed by the newest key of its place. */
  token(more: object = {}, place: Place = "main"): string {
    return jwt(this.claims(more, place), this.key(place));
  }

  key(place: Place = "main"): SigningKey {
    const key = this.keys[place].at(-1);
    if (!key) throw new Error(`${place} has no key`);
    return key;
  }

  /** Headers of somebody with these roles. */
  as(subject: string, roles: readonly string[] = ["analyst"], tenant = "default"): Record<string, string> {
    return bearer(this.token({ sub: subject, roles, tenant }));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const place = PLACES.find((one) => req.url === `/${one}/jwks`);
    if (!place) return void res.writeHead(404).end();
    this.asked[place] += 1;
    if (place === "slow") return;
    if (place === "redirecting")
      return void res.writeHead(302, { location: `${this.urlOf("main")}/jwks` }).end();
    if (place === "broken") return void res.end('{"keys":[{"kty":');
    const keys = this.keys[place].map(({ jwk }) => jwk);
    res.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

const OPEN = "gateway-open";

/** Shorter work of a gateway's event loop than what fails is reported, too, so that the suite can print it. */
const LOOP_REPORT_MS = "10";

/** @param meshEnv more of the environment of every process */
export async function startWorld(signal: AbortSignal): Promise<World> {
  const scratch = mkdtempSync(join(tmpdir(), "interlock-security-"));
  const issuer = await Issuer.start();
  // A set of keys that nobody can want to search.
  issuer.keys.crowded = [newKey("crowded-0")];
  const [crowd] = issuer.keys.crowded;
  if (crowd)
    issuer.keys.crowded = Array.from({ length: 1_000 }, (_, n) => ({
      ...crowd,
      kid: `crowded-${n}`,
      jwk: { ...crowd.jwk, kid: `crowded-${n}` },
    }));
  const manifest = join(scratch, "mesh.yaml");
  writeFileSync(manifest, JSON.stringify(manifestWith(issuer)));
  const logDir = join(scratch, "logs");
  const gateway = SERVICES.find(({ name }) => name === GATEWAY);
  if (!gateway) throw new Error("there is no gateway to start");
  const watch = ["--import", new URL("loads/watch-loop.ts", import.meta.url).href];
  const watched = SERVICES.map((one) => (one.taskTypes === undefined ? one : { ...one, nodeArgs: watch }));
  const services = [...watched, { ...gateway, name: OPEN, portVariable: "OPEN_PORT" }];
  let mesh: Mesh;
  try {
    mesh = await startMesh({
      services,
      env: { MESH_FILE: manifest, SECURITY_SECRET: SHARED_SECRET, LOG_LEVEL: "trace" },
      // All attacks come from one address. The other gateway keeps the limit.
      serviceEnv: { [GATEWAY]: { AUTH: "required", FAILED_AUTH_PER_MINUTE: "1000000", LOOP_REPORT_MS } },
      logDir,
      signal,
    });
  } catch (error) {
    issuer.stop();
    throw error;
  }
  const names = mesh.processes.map(({ name }) => name);
  return {
    url: mesh.url,
    open: mesh.urls[OPEN] ?? "",
    redisUrl: mesh.redisUrl,
    issuer,
    agents: Object.fromEntries(
      services.flatMap(({ name, taskTypes = [] }) =>
        taskTypes.map((taskType) => [taskType, { name, url: mesh.urls[name] ?? "" }]),
      ),
    ),
    logs: (only) =>
      names
        .filter((name) => only === undefined || name === only)
        .map((name) => textOf(join(logDir, `${name}.log`)))
        .join("\n"),
    async stop() {
      await mesh.stop();
      issuer.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The shipped manifest with the suite's issuers; its paths lead to the same files from elsewhere. */
function manifestWith(issuer: Issuer): object {
  const issuers = Object.fromEntries(
    PLACES.map((place) => [
      place,
      {
        issuer: issuer.urlOf(place),
        audience: ["interlock"],
        keys: { url: `${issuer.urlOf(place)}/jwks` },
        algorithms: ["ES256", "RS256"],
        cache_s: 1,
        stale_s: place === "rotating" ? 1 : 3_600,
      },
    ]),
  );
  const shared = {
    issuer: "http://shared.test",
    audience: ["interlock"],
    keys: { secret_env: "SECURITY_SECRET" },
  };
  // The environment fills the variables in when the gateway reads the manifest, so they have to survive.
  return { ...writtenManifest(join(root, "mesh.yaml")), identity: { issuers: { ...issuers, shared } } };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
