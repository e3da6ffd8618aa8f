import { randomUUID } from "node:crypto";
import { ask } from "../../../services/gateway/test/support/http.ts";
import type { Area, Attack } from "../attack.ts";
import { verdict } from "../http.ts";
import type { World } from "../world.ts";

const got =
  (path: string, headers: Record<string, string> = {}) =>
  (world: World) =>
    verdict(world.url + path, { headers: { ...world.issuer.as("ann"), ...headers } });

function read(name: string, expected: string, path: string, headers?: Record<string, string>): Attack {
  return { name, expected, run: got(path, headers) };
}

/** A finished run of ann's. */
async function runOf({ url, issuer }: World): Promise<string> {
  const body = { message: "What is the optimal price?", session_id: randomUUID() };
  const answer = await ask(`${url}/api/v1/chat`, { headers: issuer.as("ann"), body });
  return String(answer.json().thread_id);
}

/** Reads the events of a run of ann's from an odd place. */
function resumed(
  name: string,
  expected: string,
  query: string,
  headers: Record<string, string> = {},
): Attack {
  return {
    name,
    expected,
    run: async (world) => got(`/api/v1/runs/${await runOf(world)}/events${query}`, headers)(world),
  };
}

export const IDS: Area = {
  title: "ids",
  attacks: [
    ...[
      "..%2f..%2fetc%2fpasswd",
      // Alone, a client resolves it itself.
      "%2e%2e%2fx",
      "..%5c..",
      "%00",
      "a%00b",
      "*",
      "%7Bdefault%7D",
      "run:*",
      "a%0d%0ab",
      "%25",
      "a".repeat(65),
      "il:%7Bother%7D:run:1",
      "__proto__",
      "constructor",
    ].map((id) => read(`the run "${id.slice(0, 24)}"`, "404 not_found", `/api/v1/runs/${id}`)),
    read("a path that cannot be decoded", "404 not_found", "/api/v1/runs/%E0%A4%A"),
    read("dots in a path", "404 not_found", "/api/v1/runs/../../metrics/x"),
    read("two slashes", "404 not_found", "//api/v1/runs"),
    read("a session of a pattern", "404 not_found", "/api/v1/sessions/%2A"),
    read("an approval of a pattern", "404 not_found", "/api/v1/approvals/%2A"),
    read("a cursor that is no cursor", "400 invalid_request", "/api/v1/runs?cursor=evil"),
    read(
      "a cursor of another form",
      "400 invalid_request",
      `/api/v1/runs?cursor=${Buffer.from('{"at":1e99}').toString("base64url")}`,
    ),
    read("a limit below one", "400 invalid_request", "/api/v1/runs?limit=-1"),
    read("a limit of a billion", "400 invalid_request", "/api/v1/runs?limit=1000000000"),
    read("a parameter twice", "400 invalid_request", "/api/v1/runs?limit=1&limit=2"),
    read("a parameter that is an object", "400 invalid_request", "/api/v1/runs?limit[$gt]=1"),
    read("an unknown parameter", "400 invalid_request", "/api/v1/runs?admin=true"),
    read("a tenant in the query", "400 invalid_request", "/api/v1/runs?tenant=other"),
    resumed("Last-Event-ID in the future", "400 invalid_cursor", "", { "last-event-id": "999999999" }),
    resumed("Last-Event-ID below zero", "400 invalid_cursor", "", { "last-event-id": "-1" }),
    resumed("Last-Event-ID as a stream's id", "400 invalid_cursor", "", { "last-event-id": "0-0" }),
    resumed("Last-Event-ID that is text", "400 invalid_cursor", "", { "last-event-id": "$" }),
    resumed("Last-Event-ID beyond what a number holds", "400 invalid_cursor", "", {
      "last-event-id": "9".repeat(40),
    }),
    resumed("`after` that is text", "400", "?after=$"),
  ].map((attack) => (attack.expected === "400" ? { ...attack, accepts: /^400 / } : attack)),
};
