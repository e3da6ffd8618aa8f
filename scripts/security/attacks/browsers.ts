import { randomBytes } from "node:crypto";
import { type Ask, ask } from "../../../services/gateway/test/support/http.ts";
import type { Area, Attack } from "../attack.ts";
import { verdict } from "../http.ts";
import type { World } from "../world.ts";

const RUNS = "/api/v1/runs";
const ELSEWHERE = "https://elsewhere.test";
const madeUp = (): string => randomBytes(32).toString("base64url");
const session = (value: string) => ({ cookie: `interlock-session=${value}` });

/** An attack on what somebody who signed in from a browser may do. @param headers what the request has */
const change = (name: string, headers: (world: World) => Record<string, string>, path = RUNS): Attack => ({
  name,
  expected: "403 forbidden",
  run: (world) =>
    verdict(world.url + path, {
      method: "POST",
      headers: headers(world),
      body: { flow: "pricing", session_id: "browsers" },
    }),
});

const read = (name: string, headers: () => Record<string, string>): Attack => ({
  name,
  expected: "401 unauthorized",
  run: ({ url }) => verdict(url + RUNS, { headers: headers() }),
});

/** What all of them came to; where they differ, each outcome once. */
async function oneOf(outcomes: readonly Promise<string>[]): Promise<string> {
  return [...new Set(await Promise.all(outcomes))].join(" | ");
}

/** What a page's policy says against frames and script of others. */
function guardsOf(policy: string): string[] {
  const guards = ["frame-ancestors", "base-uri", "require-trusted-types-for"];
  const kept = policy.split("; ").filter((one) => guards.includes(one.split(" ")[0] ?? ""));
  return [...kept.sort(), policy.includes("unsafe") ? "unsafe" : "nothing unsafe"];
}

/** Where a browser is sent. */
async function sent({ url }: World, path: string, headers: Ask["headers"] = {}): Promise<string> {
  const answer = await ask(url + path, { headers });
  return `${answer.status} ${answer.headers.location} ${answer.headers["x-planted"] ?? ""}`.trim();
}

/** Every screen, by an address of its kind. */
const SCREENS = [
  ...["/", "/docs/api", "/console/operations", "/console/signed-out"],
  ...["approvals", "runs", "conversations"].flatMap((kind) => [`/console/${kind}`, `/console/${kind}/some`]),
];

export const BROWSERS: Area = {
  title: "browsers",
  attacks: [
    read("a session that nobody began", () => session(madeUp())),
    read("a session whose secret is another's id", () => session("../../etc/passwd")),
    read("two sessions at once", () => ({
      cookie: `interlock-session=${madeUp()}; interlock-session=${madeUp()}`,
    })),
    read("the cookie of an origin with TLS, without any", () => ({
      cookie: `__Host-interlock-session=${madeUp()}`,
    })),
    read("a page that says it is signed in", () => ({ "interlock-console": "session" })),
    read("a bad token beside a session", () => ({ ...session(madeUp()), authorization: "Bearer a.b.c" })),
    change("a change without the header of our own pages", ({ url }) => ({
      ...session(madeUp()),
      origin: url,
    })),
    change("a change without an origin", () => ({ ...session(madeUp()), "interlock-console": "session" })),
    change("a change from a page of another site", () => ({
      ...session(madeUp()),
      "interlock-console": "session",
      origin: ELSEWHERE,
    })),
    change("a change from another port of this machine", () => ({
      ...session(madeUp()),
      "interlock-console": "session",
      origin: "http://127.0.0.1:1",
    })),
    change("signing out from another site", () => ({ origin: ELSEWHERE }), "/console/sign-out"),
    change("signing out by a form of this machine", ({ url }) => ({ origin: url }), "/console/sign-out"),
    {
      name: "an answer of an issuer that nobody was sent to",
      expected: "302 /console/signed-out?why=begin_again",
      run: (world) => sent(world, "/console/signed-in?code=stolen&state=stolen&iss=https://elsewhere.test"),
    },
    {
      name: "an answer with a sign-in that somebody wrote",
      expected: "302 /console/signed-out?why=begin_again",
      run: (world) => {
        const written = {
          issuer: "main",
          back: ELSEWHERE,
          challenge: { verifier: "v", state: "s", nonce: "n" },
        };
        const cookie = `interlock-sign-in=${Buffer.from(JSON.stringify(written)).toString("base64url")}`;
        return sent(world, "/console/signed-in?code=c&state=s", { cookie });
      },
    },
    {
      name: "a page to come back to with a header in it",
      expected: "302 to the issuer, and no such header",
      accepts: /^302 http:\/\/127\.0\.0\.1:\d+\/auth\?[^ ]*$/,
      run: (world) => sent(world, "/console/sign-in?return=/console/runs%0d%0ax-planted:%20yes"),
    },
    {
      name: "the cookie of a sign-in, for scripts or other sites' requests",
      expected: "Path=/; HttpOnly; SameSite=Lax; Max-Age=600",
      run: async ({ url }) => {
        const { headers } = await ask(`${url}/console/sign-in?return=/console/runs`);
        return String(headers["set-cookie"]).replace(/^interlock-sign-in=[\w-]+; /, "");
      },
    },
    {
      name: "a frame around any screen, and script of others in it",
      expected:
        "200, base-uri 'none', frame-ancestors 'none', require-trusted-types-for 'script', nothing unsafe",
      run: async ({ url }) =>
        await oneOf(
          SCREENS.map(async (screen) => {
            const { status, headers } = await ask(url + screen, { headers: { accept: "text/html" } });
            return [status, ...guardsOf(String(headers["content-security-policy"]))].join(", ");
          }),
        ),
    },
    {
      name: "a look into a cache for what somebody read",
      expected: "200 no-store",
      run: async ({ open }) =>
        await oneOf(
          ["me", "approvals", "runs", "sessions"].map(async (path) => {
            const { status, headers } = await ask(`${open}/api/v1/${path}`);
            return `${status} ${headers["cache-control"]}`;
          }),
        ),
    },
  ],
};
