import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ask } from "../../services/gateway/test/support/http.ts";
import { jwt } from "../../services/gateway/test/support/issuer.ts";
import { root } from "../lib/paths.ts";
import { bearer, type World } from "./world.ts";

/** Who tries a route. What the last six have is no valid token, whatever else it says. */
export const PERSONAS = [
  "owner",
  "same tenant",
  "other tenant",
  "wrong role",
  "anonymous",
  "expired",
  "not yet valid",
  "wrong audience",
  "wrong issuer",
  "tampered",
] as const;
export type Persona = (typeof PERSONAS)[number];

/** What the routes are tried on: ann's, whose publication waits for an approval. */
export type Things = { session: string; run: string; approval: string; hash: string };

export type Row = {
  /** Method and path, as openapi.yaml has them. */
  readonly route: string;
  readonly path?: (things: Things) => string;
  readonly body?: (things: Things) => object;
  readonly headers?: (things: Things) => Record<string, string>;
  /** Whose route it is: who asked (default), or who may decide. */
  readonly owner?: "asker" | "approver";
  /** Statuses of those with a valid token; `open`: the route asks for none. */
  readonly expected:
    | "open"
    /** The same status for everybody. */
    | number
    | readonly [owner: number, sameTenant: number, otherTenant: number, wrongRole: number];
};

const chat = ({ session }: Things) => ({ message: "What is the optimal price?", session_id: session });
const decision = ({ hash }: Things) => ({ decision: "approve", proposal_hash: hash });
const rating = ({ run, session }: Things) => ({ turn_id: run, session_id: session, rating: 5 });
const thread = ({ run }: Things) => ({ thread_id: run });
const resumed = ({ session, approval }: Things) => ({
  threadId: session,
  runId: "r",
  messages: [],
  resume: [{ interruptId: approval, status: "resolved" }],
});
const taskCall =
  (method: string) =>
  ({ run: id }: Things) => ({ jsonrpc: "2.0", id: 1, method, params: { id } });
const runOf = ({ run }: Things) => `/api/v1/runs/${run}`;
const sessionOf = ({ session }: Things) => `/api/v1/sessions/${session}`;
const approvalOf = ({ approval }: Things) => `/api/v1/approvals/${approval}`;
const ALL = [200, 200, 200, 200] as const;
const HIDDEN = [200, 404, 404, 404] as const;
const UNSUPPORTED = [400, 400, 400, 400] as const;

/** One row for each route: those that change something come last. A session's name in another tenant is another session. */
export const ROWS: readonly Row[] = [
  { route: "GET /healthz", expected: "open" },
  { route: "GET /readyz", expected: "open" },
  { route: "GET /metrics", expected: "open" },
  { route: "GET /.well-known/jwks.json", expected: "open" },
  { route: "GET /.well-known/oauth-protected-resource/mcp", expected: "open" },
  { route: "GET /.well-known/agent-card.json", expected: "open" },
  { route: "GET /", expected: "open" },
  { route: "GET /api/v1", expected: "open" },
  { route: "GET /docs/{id}", path: () => "/docs/api.json", expected: "open" },
  { route: "GET /assets/{id}", path: () => "/assets/home.js", expected: "open" },
  { route: "GET /console/{id}", path: () => "/console/approvals", expected: "open" },
  {
    route: "GET /console/approvals/{id}",
    path: ({ approval }) => `/console/approvals/${approval}`,
    expected: "open",
  },
  { route: "GET /console/runs/{id}", path: ({ run }) => `/console/runs/${run}`, expected: "open" },
  {
    route: "GET /console/conversations/{id}",
    path: ({ session }) => `/console/conversations/${session}`,
    expected: "open",
  },
  // A token is nothing here: who is no browser of ours is sent on, or refused.
  { route: "GET /console/sign-in", expected: 302 },
  { route: "GET /console/signed-in", expected: 302 },
  { route: "POST /console/sign-out", body: () => ({}), expected: 403 },
  { route: "GET /api/v1/me", expected: ALL },
  { route: "GET /api/v1/chat/health", expected: ALL },
  { route: "GET /api/v1/services", expected: ALL },
  { route: "GET /api/v1/chat/tools", expected: ALL },
  { route: "GET /api/v1/chat/models", expected: ALL },
  { route: "GET /api/v1/mcps", expected: ALL },
  { route: "GET /api/v1/tools", expected: ALL },
  { route: "GET /mcps", expected: ALL },
  { route: "GET /tools", expected: ALL },
  { route: "GET /api/v1/usage", expected: ALL },
  // The suite's mesh asks no model: whoever may ask for answers learns that there is none.
  {
    route: "POST /v1/chat/completions",
    body: () => ({ model: "rules", messages: [{ role: "user", content: "Say it." }] }),
    expected: [404, 404, 404, 404],
  },
  { route: "GET /v1/models", expected: ALL },
  // A service that the caller may not use looks like one that does not exist.
  {
    route: "GET /v1/models/{id}",
    path: () => `/v1/models/${encodeURIComponent("interlock/policy")}`,
    expected: [200, 200, 200, 404],
  },
  { route: "GET /v1/responses/{id}", path: ({ run }) => `/v1/responses/resp_${run}`, expected: HIDDEN },
  // What is listed is each caller's own; calls are tried in mcp-server.test.ts.
  {
    route: "POST /mcp",
    body: () => ({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    expected: ALL,
  },
  // Somebody else's approval does not exist; its decision is tried in peers-ag-ui.test.ts.
  { route: "POST /ag-ui", body: resumed, expected: HIDDEN },
  { route: "POST /ag-ui/{id}", path: () => "/ag-ui/publishing", body: resumed, expected: HIDDEN },
  { route: "GET /a2a/extendedAgentCard", expected: ALL },
  {
    route: "GET /a2a/{id}/.well-known/agent-card.json",
    path: () => "/a2a/policy/.well-known/agent-card.json",
    expected: [200, 200, 200, 404],
  },
  { route: "POST /a2a", body: taskCall("ListTasks"), expected: ALL },
  { route: "POST /a2a/{id}", path: () => "/a2a/pricing", body: taskCall("GetTask"), expected: HIDDEN },
  { route: "GET /a2a/tasks", expected: ALL },
  { route: "GET /a2a/tasks/{id}", path: ({ run }) => `/a2a/tasks/${run}`, expected: HIDDEN },
  // The suite's mesh sends no push notifications; receivers of others are tried in peers-a2a-push.test.ts.
  ...["GET", "POST"].map((method) => ({
    route: `${method} /a2a/tasks/{id}/pushNotificationConfigs`,
    path: ({ run }: Things) => `/a2a/tasks/${run}/pushNotificationConfigs`,
    ...(method === "POST" ? { body: () => ({ url: "https://hooks.example.com/" }) } : {}),
    expected: UNSUPPORTED,
  })),
  {
    route: "GET /a2a/tasks/{id}/pushNotificationConfigs/{subId}",
    path: ({ run }) => `/a2a/tasks/${run}/pushNotificationConfigs/mine`,
    expected: UNSUPPORTED,
  },
  // The stream of what has rested is told from its beginning: others get none.
  ...(["GET", "POST"] as const).map((method) => ({
    route: `${method} /a2a/tasks/{id}:subscribe`,
    path: ({ run }: Things) => `/a2a/tasks/${run}:subscribe`,
    headers: ({ run }: Things) => ({ "last-event-id": `${run}:1` }),
    expected: HIDDEN,
  })),
  { route: "GET /api/v1/agents", expected: ALL },
  { route: "GET /api/v1/sessions", expected: ALL },
  { route: "GET /sessions", expected: ALL },
  { route: "GET /api/v1/runs", expected: ALL },
  { route: "GET /api/v1/approvals", owner: "approver", expected: ALL },
  { route: "GET /api/v1/sessions/{id}", path: sessionOf, expected: HIDDEN },
  {
    route: "GET /sessions/{id}",
    path: ({ session }) => `/sessions/${session}`,
    expected: HIDDEN,
  },
  // What users say is read by those who may read all sessions. Another tenant's administrator reads that tenant's.
  { route: "GET /api/v1/feedback", expected: [403, 403, 200, 403] },
  { route: "GET /feedback", expected: [403, 403, 200, 403] },
  // The run is not over.
  { route: "GET /api/v1/admin/audit", expected: [403, 403, 200, 403] },
  { route: "GET /api/v1/admin/webhooks", expected: [403, 403, 200, 403] },
  // What another tenant's operator names does not exist; see webhooks-admin.test.ts.
  {
    route: "POST /api/v1/admin/webhooks/{id}/redeliver",
    path: () => "/api/v1/admin/webhooks/msg_1/redeliver",
    body: () => ({}),
    expected: [403, 403, 404, 403],
  },
  { route: "POST /api/v1/feedback", body: rating, expected: [409, 404, 404, 404] },
  { route: "POST /feedback", body: rating, expected: [409, 404, 404, 404] },
  { route: "GET /api/v1/runs/{id}", path: runOf, expected: HIDDEN },
  { route: "GET /api/v1/runs/{id}/lineage", path: (things) => `${runOf(things)}/lineage`, expected: HIDDEN },
  {
    route: "GET /api/v1/runs/{id}/artifacts",
    path: (things) => `${runOf(things)}/artifacts?artifact=call.1`,
    // The suite's run has none: its owner is told the same.
    expected: [404, 404, 404, 404],
  },
  { route: "GET /api/v1/runs/{id}/events", path: (things) => `${runOf(things)}/events`, expected: HIDDEN },
  { route: "GET /api/v1/approvals/{id}", owner: "approver", path: approvalOf, expected: HIDDEN },
  {
    route: "GET /api/v1/approvals/{id}/audit",
    owner: "approver",
    path: (things) => `${approvalOf(things)}/audit`,
    expected: HIDDEN,
  },
  {
    route: "GET /v1/agent/completed",
    path: ({ session }) => `/v1/agent/completed?session_id=${session}`,
    expected: HIDDEN,
  },
  // The suite's gateway is none of a developer.
  {
    route: "GET /v1/agent/debug/{id}",
    path: ({ session }) => `/v1/agent/debug/${session}`,
    expected: [404, 404, 404, 404],
  },
  {
    route: "POST /api/v1/catalogue",
    body: () => ({ csv: "sku,price,cost,units,elasticity\nA-1,12,6.5,900,-2.4\n" }),
    expected: [200, 200, 200, 403],
  },
  {
    route: "POST /api/v1/tables",
    body: () => ({ csv: "sku,price,cost,units,elasticity\nA-1,12,6.5,900,-2.4\n" }),
    expected: [200, 200, 200, 403],
  },
  {
    route: "POST /api/v1/policy/check",
    body: () => ({ prices: { new: 100, exchange: 98 }, segment: "premium", region: "EMEA" }),
    expected: [200, 200, 200, 403],
  },
  // Another tenant's book is another book.
  { route: "GET /api/v1/price-book", expected: [200, 200, 200, 403] },
  { route: "GET /api/v1/budgets", expected: [200, 200, 200, 403] },
  { route: "GET /api/v1/savings-actions", expected: [200, 200, 200, 403] },
  { route: "POST /api/v1/chat/approve", owner: "approver", body: thread, expected: HIDDEN },
  // Each decision has its own outcome: nobody else's is 200 (see approvals.test.ts).
  {
    route: "POST /api/v1/approvals/decisions",
    owner: "approver",
    body: () => ({
      decisions: [{ approval_id: "unknown", decision: "reject", proposal_hash: "0".repeat(64) }],
    }),
    expected: ALL,
  },
  {
    route: "POST /api/v1/approvals/{id}/decision",
    owner: "approver",
    path: (things) => `${approvalOf(things)}/decision`,
    body: decision,
    expected: HIDDEN,
  },
  {
    route: "POST /api/v1/approvals/{id}/withdraw",
    path: (things) => `${approvalOf(things)}/withdraw`,
    body: () => ({}),
    expected: HIDDEN,
  },
  { route: "POST /api/v1/chat/cancel", body: thread, expected: HIDDEN },
  {
    route: "POST /api/v1/runs/{id}/cancel",
    path: (things) => `${runOf(things)}/cancel`,
    body: () => ({}),
    expected: HIDDEN,
  },
  { route: "POST /a2a/tasks/{id}:cancel", path: ({ run }) => `/a2a/tasks/${run}:cancel`, expected: HIDDEN },
  {
    route: "POST /v1/responses/{id}/cancel",
    path: ({ run }) => `/v1/responses/resp_${run}/cancel`,
    expected: HIDDEN,
  },
  {
    route: "POST /v1/responses",
    body: ({ session }) => ({
      model: "interlock/auto",
      input: "What is the optimal price?",
      metadata: { session_id: session },
    }),
    expected: [200, 404, 200, 403],
  },
  ...["send", "stream"].map((way) => ({
    route: `POST /a2a/message:${way}`,
    body: ({ session: contextId }: Things) => ({
      message: { messageId: randomUUID(), contextId, parts: [{ text: "What is the optimal price?" }] },
    }),
    expected: [200, 404, 200, 403] as const,
  })),
  { route: "POST /api/v1/chat", body: chat, expected: [200, 404, 200, 403] },
  {
    route: "POST /chat",
    body: ({ session }) => ({
      messages: [{ role: "user", content: "What is the optimal price?" }],
      session_id: session,
    }),
    expected: [200, 404, 200, 403],
  },
  { route: "POST /v1/agent/chat", body: chat, expected: [200, 404, 200, 403] },
  { route: "POST /v1/agent/chat/stream", body: chat, expected: [200, 404, 200, 403] },
  {
    route: "GET /v1/agent/chat/stream",
    path: (things) => `/v1/agent/chat/stream?${new URLSearchParams(chat(things))}`,
    expected: [200, 404, 200, 403],
  },
  {
    route: "POST /api/v1/runs",
    body: ({ session }) => ({ flow: "pricing", session_id: session, goals: ["policy"] }),
    expected: [202, 404, 202, 403],
  },
  {
    route: "POST /api/v1/sessions/{id}/reset",
    path: (things) => `${sessionOf(things)}/reset`,
    body: () => ({}),
    expected: HIDDEN,
  },
  // The manifest is every tenant's, and so is whoever administers the mesh.
  { route: "POST /api/v1/admin/reload", expected: [403, 403, 200, 403] },
  // Of a tenant's own people: whoever administers another tenant erases nobody here.
  {
    route: "POST /api/v1/admin/erasures",
    body: () => ({ subject: "ann", issuer: "main" }),
    expected: [403, 403, 200, 403],
  },
];

/** The routes of the API's description: `GET /api/v1/runs`. */
export function describedRoutes(): string[] {
  const { paths } = parse(readFileSync(join(root, "contracts/gateway/v1/openapi.yaml"), "utf8")) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).flatMap((method) =>
      ["get", "post"].includes(method) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
}

export type Cell = { readonly persona: Persona; readonly expected: number; readonly got: number };

/** Tries a route as each persona, its owner last. */
export async function tryRoute(row: Row, world: World): Promise<Cell[]> {
  const things = await thingsOf(world);
  const [method = "GET", described = ""] = row.route.split(" ");
  const path = row.path?.(things) ?? described;
  const cells: Cell[] = [];
  for (const persona of PERSONAS.toReversed()) {
    const headers = { ...headersOf(persona, row.owner ?? "asker", world), ...row.headers?.(things) };
    const body = row.body?.(things);
    const { status } = await ask(world.url + path, { method, headers, ...(body ? { body } : {}) });
    cells.unshift({ persona, expected: expectedOf(row, persona), got: status });
  }
  return cells;
}

function expectedOf({ expected }: Row, persona: Persona): number {
  if (expected === "open") return 200;
  if (typeof expected === "number") return expected;
  return expected[PERSONAS.indexOf(persona)] ?? 401;
}

function headersOf(persona: Persona, owner: "asker" | "approver", { issuer }: World): Record<string, string> {
  const claims =
    owner === "asker" ? { sub: "ann", roles: ["analyst"] } : { sub: "bo", roles: ["pricing_approver"] };
  const now = Math.floor(Date.now() / 1000);
  switch (persona) {
    case "owner":
      return bearer(issuer.token(claims));
    case "same tenant":
      return issuer.as("bea");
    case "other tenant":
      return issuer.as(claims.sub, ["admin"], "elsewhere");
    case "wrong role":
      return issuer.as("vi", ["intern"]);
    case "anonymous":
      return {};
    case "expired":
      return bearer(issuer.token({ ...claims, exp: now - 60 }));
    case "not yet valid":
      return bearer(issuer.token({ ...claims, nbf: now + 600 }));
    case "wrong audience":
      return bearer(issuer.token({ ...claims, aud: "another" }));
    case "wrong issuer":
      return bearer(jwt(issuer.claims({ ...claims, iss: "https://another.test" }), issuer.key()));
    case "tampered": {
      const [head, , signature] = issuer.token(claims).split(".");
      const body = JSON.stringify(issuer.claims({ ...claims, roles: ["admin"] }));
      return bearer(`${head}.${Buffer.from(body).toString("base64url")}.${signature}`);
    }
  }
}

/** A publication of ann's that waits for an approval. */
export async function thingsOf({ url, issuer }: World): Promise<Things> {
  const session = randomUUID();
  const body = { message: "Propose prices and publish them.", session_id: session };
  const answer = (await ask(`${url}/api/v1/chat`, { body, headers: issuer.as("ann") })).json();
  const { id, proposal_hash } = (answer.approval ?? {}) as { id?: string; proposal_hash?: string };
  if (!id || !proposal_hash) throw new Error("nothing waits for an approval");
  return { session, run: String(answer.thread_id), approval: id, hash: proposal_hash };
}
