import { afterEach, expect, test } from "@jest/globals";
import type { Dispatched } from "../caller.ts";
import { Egress, EgressRules } from "../egress/index.ts";
import { AgentClient } from "./client.ts";
import {
  dispatch,
  event,
  LIMITS,
  sendJson,
  sendStream,
  startAgent,
  started,
  terminal,
} from "./test/agent.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const caller = { tenant: "acme", issuer: "staff", subject: "bo", roles: ["analyst"] };

async function signing(signed: boolean) {
  const signedFor: Dispatched[] = [];
  const agent = await startAgent((call) =>
    call.number === 1
      ? sendJson(call, {}, 503)
      : sendStream(call, started(call) + event("final", terminal(call))),
  );
  const client = new AgentClient({
    agents: [{ name: "worker", url: agent.url, tasks: ["TASK"], signed, limits: { ...LIMITS, retries: 1 } }],
    egress: new Egress({ rules: new EgressRules({ loopback: true }) }),
    sign: (dispatched) => `token-${signedFor.push(dispatched)}`,
  });
  open.push(agent.close, () => client.close());
  return { agent, client, signedFor };
}

test("each attempt of a request to a signed agent has a token of its own", async () => {
  const { agent, client, signedFor } = await signing(true);
  await client.stream(dispatch({ caller, runId: "run-1", step: "optimize", idempotencyKey: "key" }));
  expect(agent.calls.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer token-1",
    "Bearer token-2",
  ]);
  expect(signedFor).toMatchObject([
    { agent: "worker", caller, runId: "run-1", step: "optimize" },
    { agent: "worker", caller, runId: "run-1", step: "optimize" },
  ]);
  for (const { timeoutMs } of signedFor) expect(timeoutMs).toBeLessThanOrEqual(LIMITS.timeoutMs);
});

test("other agents get none", async () => {
  const { agent, client, signedFor } = await signing(false);
  await client.stream(dispatch({ caller }));
  expect(agent.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect(signedFor).toEqual([]);
});

test("a signed agent is not asked without a token: there has to be somebody who signs", () => {
  const egress = new Egress({ rules: new EgressRules({ loopback: true }) });
  const agents = [
    { name: "worker", url: "http://127.0.0.1:1", tasks: ["TASK"], signed: true, limits: LIMITS },
  ];
  expect(() => new AgentClient({ agents, egress })).toThrow(TypeError);
});
