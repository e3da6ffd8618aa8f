import { parseArgs } from "node:util";
import { readIssuer } from "./config.ts";
import { rotateKeys } from "./keys.ts";
import { issueToken, type TokenOrder } from "./token.ts";

const USAGE = `usage: token --user NAME [--role ROLE]… [--tenant NAME] [--ttl 30m|8h|7d]
       token --rotate-key`;

/** Roles and tenants as the gateway takes them; users without the characters that it refuses. */
const USER = /^[\x21-\x7e]{1,200}$/;
const ROLE = /^[A-Za-z0-9_:.-]{1,64}$/;
const TENANT = /^[A-Za-z0-9_-]{1,64}$/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const MOST_TTL_S = 30 * 86_400;

/** `npm run -s token`. @returns what it prints @throws Error that says what is wrong */
export async function tokenCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { issuer, dataDir } = readIssuer(env);
  const order = read(args);
  if (order !== "rotate") return await issueToken(issuer, dataDir, order);
  rotateKeys(dataDir);
  return "There is a new key. Gateways refuse tokens of the old one once they have fetched the keys again (within 5 minutes by default).";
}

function read(args: readonly string[]): TokenOrder | "rotate" {
  const values = parse(args);
  if (values["rotate-key"]) return "rotate";
  const { user, role: roles = ["analyst"], tenant = "default", ttl = "8h" } = values;
  if (user === undefined || !USER.test(user)) throw usage("--user must be a name without spaces");
  if (!roles.every((role) => ROLE.test(role))) throw usage(`--role must match ${ROLE.source}`);
  if (!TENANT.test(tenant)) throw usage(`--tenant must match ${TENANT.source}`);
  const [, count, unit = ""] = /^(\d{1,9})([smhd])$/.exec(ttl) ?? [];
  const ttlS = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (!(ttlS > 0 && ttlS <= MOST_TTL_S))
    throw usage("--ttl must be a time such as 30m, 8h or 7d, at most 30d");
  return { user, roles, tenant, ttlS };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        user: { type: "string" },
        role: { type: "string", multiple: true },
        tenant: { type: "string" },
        ttl: { type: "string" },
        "rotate-key": { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw usage(Error.isError(error) ? error.message : "The arguments could not be read.");
  }
}

function usage(what: string): Error {
  return new Error(`${what}\n${USAGE}`);
}
