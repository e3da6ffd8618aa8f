import { randomUUID } from "node:crypto";
import { describe } from "@jest/globals";
import { scriptOf } from "../../../../scripts/model-server/script.ts";
import { startModelServer } from "../../../../scripts/model-server/server.ts";
import { chromiumPath } from "../../../../scripts/report/browser.ts";
import type { closingAtEnd } from "./closing.ts";
import { developmentIssuer, launchBrowser, type Users, type Visit, visit } from "./console.ts";
import type { GatewayOptions, TestGateway } from "./gateway.ts";
import { GOOD_OUTPUTS } from "./mesh.ts";
import { ALL_HOSTILE, HOSTILE } from "./payloads.ts";
import { ANN, get, LEE, type Paused, pausedRun, post } from "./people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./publishing.ts";
import { receiver } from "./receiver.ts";
import { testRedis } from "./redis.ts";
import { answering, type Call, holding, sendJson, standIn } from "./stand-in.ts";

const chromium = chromiumPath(process.env);
if (chromium === undefined)
  process.stderr.write("No Chromium on this machine: nobody looks at the console.\n");

/** Tests that look at the console; left out where there is no browser. */
export const describeConsole = chromium === undefined ? describe.skip : describe;

const person = (name: string, ...roles: string[]) => ({ name, tenant: "default", roles });
export const USERS: Users = {
  ann: person("Ann", "analyst"),
  lee: person("Lee", "pricing-lead"),
  kim: person("Kim", "pricing-lead"),
  max: person("Max", "analyst", "pricing-lead"),
  ole: person(`Ole ${HOSTILE[0]}`, "operator"),
  eve: { ...person("Eve", "pricing-lead"), tenant: "elsewhere" },
};

/** A proposal whose names are hostile, too. */
const NAMES = ["A100", ALL_HOSTILE];
const proposed = NAMES.map((item_id, at) => ({ item_id, price: 12 + 3 * at }));
const VIOLATION = { item_id: "A100", message: `The price of A100 is above 20. ${HOSTILE[0]}` };
const judged = ({ body: { inputs } }: Call) => {
  const { proposed: prices = [] } = inputs as { proposed?: { price: number }[] };
  const passed = prices.every(({ price }) => price <= 20);
  return { passed, violations: passed ? [] : [VIOLATION] };
};

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** What a model calls for the assistant, and what that takes. */
const NOTICE = { to: ALL_HOSTILE, urgent: false, tags: ["prices"], copies: 1 };
const NOTIFY = {
  task_type: "NOTIFY",
  inputs: {
    type: "object",
    properties: {
      to: { type: "string" },
      urgent: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      copies: { type: "integer", minimum: 1, maximum: 5 },
      channel: { enum: ["mail", "letter"] },
    },
    required: ["to"],
    additionalProperties: false,
  },
  outputs: { type: "object" },
};
const SCRIPT = scriptOf([
  { hears: "assistant", round: 1, calls: [{ name: "notify", arguments: NOTICE }] },
  { hears: "assistant", round: 2, says: `It is told. ${ALL_HOSTILE}` },
]);

/** A test looks at a page while the explainer's answer is held, which takes a busy machine minutes. */
const HELD_MS = 600_000;

type Keep = ReturnType<typeof closingAtEnd>;

export type ConsoleMesh = Awaited<ReturnType<typeof consoleMesh>>;

/**
 * What the console looks at: agents whose answers hold hostile text, an issuer, Redis, and a browser.
 * @param keep stops what is started, whatever becomes of the rest
 * @param start how the gateway runs
 */
export async function consoleMesh<T extends TestGateway>(
  keep: Keep,
  start: (options: GatewayOptions) => Promise<T>,
) {
  const redis = keep(await testRedis());
  const check = holding();
  const notified: unknown[] = [];
  const agent = keep(
    await standIn({
      ...PUBLISHING,
      PRICE_OPTIMIZATION: answering({ items: proposed }),
      POLICY_CHECK: answering(judged),
      PRICE_EXPLANATION: check.handler,
      SENSITIVITY_ANALYSIS: answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS),
      NOTIFY: (call) => {
        notified.push(call.body.inputs);
        answering({ told: true })(call);
      },
      "/agents/card": (call) =>
        sendJson(call, { name: "a", version: "1.0.0", contract: "agent/v1", task_types: [NOTIFY] }),
    }),
  );
  const rule = {
    ...RULE,
    show: { ...RULE.show, note: { literal: ALL_HOSTILE } },
    edit: {
      ...RULE.edit,
      schema: {
        type: "array",
        items: {
          type: "object",
          properties: { item_id: { type: "string" }, price: { type: "number", minimum: 1 } },
        },
      },
    },
  };
  const mesh = publishingMesh(agent.url, rule);
  const { publish } = mesh.flows.publishing.steps;
  const steps = {
    ...mesh.flows.publishing.steps,
    publish: { ...publish, approval: { ...rule, max_age: 2 } },
  };
  const strict = { ...mesh.flows.publishing, steps, goals: { strict: ["publish"] } };
  const policy = { ...mesh.services.policy, answer: { literal: `Two:\n- ${ALL_HOSTILE}` } };
  // Of those whom webhooks tell; it takes nothing until a test says so.
  const inbox = { status: 410 };
  const receiving = keep(await receiver(() => inbox.status));
  const models = keep(await startModelServer({ script: SCRIPT }));
  const notices = {
    steps: {
      notify: { agent: "notifier", task_type: "NOTIFY", effect: "repeatable", inputs: "request.inputs" },
    },
    goals: { notices: ["notify"] },
  };
  const explainer = { ...mesh.agents.explainer, limits: { timeout_ms: HELD_MS, retries: 0, backoff_ms: 1 } };
  const manifest = {
    ...mesh,
    agents: { ...mesh.agents, explainer, notifier: { url: agent.url, tasks: { NOTIFY: "Tells somebody." } } },
    flows: { ...mesh.flows, pricing: { ...mesh.flows.pricing, timeout_ms: HELD_MS }, strict, notices },
    webhooks: {
      leads: { url: receiving.url, events: ["approval.requested"], secrets: ["LEADS_SECRET"] },
    },
    models: {
      default: "rules",
      allow: ["rules", "scripted"],
      providers: { here: { kind: "openai_compatible", base_url: models.url } },
      models: { scripted: { provider: "here", model: "scripted" } },
    },
    services: {
      ...mesh.services,
      policy,
      assistant: { tools: ["notify"], model: "scripted", keywords: ["assistant"] },
      strict: { ...mesh.services.publishing, flow: "strict", keywords: ["strictly"] },
    },
  };
  const issuer = keep(await developmentIssuer(USERS));
  const options = {
    manifest,
    redisUrl: redis.url,
    env: { DEVELOPMENT_ISSUER: issuer.url, LEADS_SECRET: SECRET },
  };
  const gateway = keep(await start(options));
  const store = keep(new StoreView(redis.url));
  // It keeps whole pages for the way back, as people's browsers do.
  const browser = await launchBrowser(chromium ?? "", {
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  keep({ stop: () => browser.close() });
  const visits: Visit[] = [];
  const visitAs = async (user?: string, at = gateway.url): Promise<Visit> => {
    const visited = await visit(browser, at, user);
    visits.push(visited);
    return visited;
  };
  return {
    ...{ gateway, store, browser, issuer, check, notified, inbox, receiving, options, visitAs },
    /** Closes what was opened since: pages that nobody looks at any more would go on refreshing themselves. @returns their complaints */
    async leave(): Promise<string[]> {
      const left = visits.splice(0);
      for (const { context } of left) await context.close();
      return left.flatMap(({ complaints }) => complaints);
    },
    waiting: (headers = ANN): Promise<Paused> =>
      pausedRun(
        gateway,
        { flow: "publishing", inputs: { items: [{ item_id: "A100", price: 10 }] } },
        headers,
      ),
    /** A call of a tool whose arguments a model wrote, and that waits. */
    async toolCalled(): Promise<{ runId: string; approvalId: string }> {
      for (;;) {
        const body = { message: "Ask the assistant whether somebody was told", session_id: randomUUID() };
        const answer = (await post(gateway, "/api/v1/chat", body, ANN)).json();
        const { thread_id, approval } = answer as { thread_id: string; approval?: { id: string } };
        if (approval) return { runId: thread_id, approvalId: approval.id };
        // Arguments are judged in a process that a busy machine takes a while to start.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    stateOf: async ({ approvalId }: Pick<Paused, "approvalId">) =>
      (await get(gateway, `/api/v1/approvals/${approvalId}`, LEE)).json().state,
  };
}

export const screenOf = ({ approvalId }: Pick<Paused, "approvalId">) => `/console/approvals/${approvalId}`;
