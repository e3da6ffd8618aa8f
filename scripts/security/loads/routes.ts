import { randomUUID } from "node:crypto";
import { type Answer, ask } from "../../../services/gateway/test/support/http.ts";
import type { Things } from "../matrix.ts";
import { BODIES, CATALOGUES, FOR_AGENTS, type Kind, MESSAGES } from "./kinds.ts";

/** Who asks, and where. */
export type Asker = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Something that is sent with a load in it, and what follows it. */
export type LoadedRoute = {
  readonly route: string;
  /** What it is loaded with. */
  readonly kinds: readonly Kind[];
  /** What the process answers at once, where its event loop is free. */
  readonly idle: string;
  send(asker: Asker, load: string): Promise<unknown>;
};

const GATEWAY_IDLE = "/healthz";

const JSON_TYPE = { "content-type": "application/json" };

export async function post({ url, headers }: Asker, path: string, body: string): Promise<Answer | undefined> {
  try {
    return await ask(url + path, { body, headers: { ...JSON_TYPE, ...headers } });
  } catch {
    // A server may close the connection while a body that it refuses is being sent.
    return undefined;
  }
}

/** What a conversation goes on with: about what a question offered, about others, and the same again. */
const FOLLOW_UPS = [
  "Propose prices for the red valve",
  "the other red valve",
  "all of them",
  "leave out the red valve",
  "put it back in",
  "both of them",
];

const PATH = "/api/v1/chat";

/** The catalogue in a first turn, and then what follows. */
async function converse(asker: Asker, inputs: string): Promise<void> {
  const session_id = randomUUID();
  const first = `{"message":"Propose prices for the red valve","session_id":"${session_id}","inputs":${inputs}}`;
  const answer = await post(asker, PATH, first);
  if (answer?.status !== 200) return;
  for (const message of FOLLOW_UPS) await post(asker, PATH, JSON.stringify({ message, session_id }));
}

const spoken = (route: string, path: string, more: object = {}): LoadedRoute => ({
  route,
  kinds: MESSAGES,
  idle: GATEWAY_IDLE,
  async send(asker, message) {
    const session_id = randomUUID();
    await post(asker, path, JSON.stringify({ message, session_id, ...more }));
    // The follow-up turn speaks of what the first one has left.
    await post(asker, path, JSON.stringify({ message, session_id, ...more }));
  },
});

/** Whole bodies, where what is legal is up to the route. */
const whole = (route: string, path: string): LoadedRoute => ({
  route,
  kinds: BODIES,
  idle: GATEWAY_IDLE,
  send: (asker, body) => post(asker, path, body),
});

export const ROUTES: readonly LoadedRoute[] = [
  {
    route: "POST /api/v1/chat: inputs, then follow-ups",
    kinds: CATALOGUES,
    idle: GATEWAY_IDLE,
    send: converse,
  },
  {
    route: "POST /api/v1/chat?stream=true: inputs",
    kinds: CATALOGUES,
    idle: GATEWAY_IDLE,
    send: (asker, inputs) =>
      post(
        asker,
        `${PATH}?stream=true`,
        `{"message":"Check the prices","session_id":"${randomUUID()}","inputs":${inputs}}`,
      ),
  },
  {
    route: "POST /api/v1/runs: inputs",
    kinds: CATALOGUES,
    idle: GATEWAY_IDLE,
    async send(asker, inputs) {
      const body = `{"flow":"pricing","goals":["policy"],"session_id":"${randomUUID()}","inputs":${inputs}}`;
      const answer = await post(asker, "/api/v1/runs", body);
      if (answer?.status !== 202) return;
      const id = String(answer.json().run_id);
      // Ends with the run.
      await ask(`${asker.url}/api/v1/runs/${id}/events`, { headers: { ...asker.headers } });
    },
  },
  whole("POST /api/v1/catalogue", "/api/v1/catalogue"),
  whole("POST /api/v1/policy/check", "/api/v1/policy/check"),
  whole("POST /api/v1/chat: whole body", PATH),
  whole("POST /api/v1/runs: whole body", "/api/v1/runs"),
  whole("POST /api/v1/chat/cancel", "/api/v1/chat/cancel"),
  whole("POST /api/v1/chat/approve", "/api/v1/chat/approve"),
  whole("POST /v1/agent/chat: whole body", "/v1/agent/chat"),
  whole("POST /v1/chat/completions: whole body", "/v1/chat/completions"),
  spoken("POST /api/v1/chat: message", PATH),
  spoken("POST /v1/agent/chat: message", "/v1/agent/chat"),
  spoken("POST /api/v1/runs: message", "/api/v1/runs"),
];

/** Edits of a proposal that waits. @param approver headers of who may decide about it */
export const decisionRoute = ({ approval, hash }: Things, approver: Record<string, string>): LoadedRoute => ({
  route: "POST /api/v1/approvals/{id}/decision: edits",
  kinds: CATALOGUES,
  idle: GATEWAY_IDLE,
  send: ({ url }, edits) =>
    post(
      { url, headers: approver },
      `/api/v1/approvals/${approval}/decision`,
      `{"decision":"edit","proposal_hash":"${hash}","edits":${edits}}`,
    ),
});

/** Runs of an agent, which gives up soon. */
export const agentRoute = (name: string, taskType: string): LoadedRoute => ({
  route: `POST /agents/run/sync of ${name}`,
  kinds: FOR_AGENTS,
  idle: "/health",
  send: (asker, inputs) =>
    post(
      asker,
      "/agents/run/sync",
      `{"request_id":"${randomUUID()}","task_type":"${taskType}","budgets":{"timeout_ms":500},"inputs":${inputs}}`,
    ),
});
