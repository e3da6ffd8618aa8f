import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readOrMake } from "./files.ts";

/** Somebody who can sign in. */
export type User = { name: string; tenant: string; roles: readonly string[] };

/** A program: one with a secret gets tokens of its own, one with redirect URIs has users sign in. */
export type Client = {
  secret?: string;
  tenant?: string;
  roles?: readonly string[];
  redirect_uris?: readonly string[];
};

/** Users by their subject; made with one for each shipped role. Read anew each time, so that a change counts at once. */
export function usersIn(dataDir: string): Readonly<Record<string, User>> {
  const file = join(dataDir, "users.json");
  return checked(file, readOrMake(file, shippedUsers), isUser);
}

/** Clients by their id; made with one of each kind. */
export function clientsIn(dataDir: string): Readonly<Record<string, Client>> {
  const file = join(dataDir, "clients.json");
  return checked(file, readOrMake(file, shippedClients), isClient);
}

function shippedUsers(): Record<string, User> {
  const user = (name: string, role: string): User => ({ name, tenant: "default", roles: [role] });
  return {
    ann: user("Ann, analyst", "analyst"),
    bo: user("Bo, approver of prices", "pricing_approver"),
    cy: user("Cy, approver of prices", "pricing_approver"),
    vi: user("Vi, viewer", "viewer"),
    ole: user("Ole, operator", "operator"),
    ada: user("Ada, administrator", "admin"),
  };
}

function shippedClients(): Record<string, Client> {
  return {
    machine: { secret: randomBytes(32).toString("base64url"), tenant: "default", roles: ["analyst"] },
    // A native client (RFC 8252): any port of the loopback interface will do.
    console: {
      redirect_uris: ["http://127.0.0.1/console/signed-in", "http://localhost/console/signed-in"],
    },
  };
}

function checked<T>(file: string, value: unknown, isOne: (one: unknown) => one is T): Record<string, T> {
  if (isObject(value) && Object.values(value).every(isOne)) return value as Record<string, T>;
  throw new Error(`${file} is not valid: remove it, and a new one is made`);
}

function isUser(value: unknown): value is User {
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    typeof value.tenant === "string" &&
    areTexts(value.roles)
  );
}

function isClient(value: unknown): value is Client {
  if (!isObject(value)) return false;
  const { secret, tenant, roles, redirect_uris } = value;
  if (redirect_uris !== undefined) return areTexts(redirect_uris) && secret === undefined;
  return typeof secret === "string" && secret.length >= 32 && typeof tenant === "string" && areTexts(roles);
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
