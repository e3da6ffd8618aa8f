import { afterEach, expect, test } from "@jest/globals";
import { Egress, EgressRules } from "../egress/index.ts";
import { AgentRegistry } from "./registry.ts";
import {
  clientFor,
  dispatch,
  event,
  failureOf,
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

/** Every name leads to what `address` says at the moment. */
function naming(address: () => string, allow: string[]): Egress {
  return new Egress({
    rules: new EgressRules({ allow, loopback: false }),
    resolve: async () => [{ address: address(), family: 4 }],
  });
}

async function agent() {
  const here = await startAgent((call) => {
    if (call.path.startsWith("/health")) return sendJson(call, { status: "ok" });
    // The second answer is the last one of its connection.
    if (call.number === 2) call.res.setHeader("connection", "close");
    return sendStream(call, started(call) + event("final", terminal(call)));
  });
  open.push(here.close);
  return here;
}

test("a request goes to a name whose addresses are allowed, and to no other", async () => {
  const here = await agent();
  let address = "127.0.0.1";
  const client = clientFor(`http://agents.test:${here.port}`, {
    egress: naming(() => address, ["127.0.0.1"]),
  });
  open.push(() => client.close());
  await client.stream(dispatch());
  // The connection is kept, and goes where it was opened to.
  address = "169.254.169.254";
  await client.stream(dispatch());
  expect(await failureOf(client.stream(dispatch()))).toMatchObject({
    code: "upstream_unavailable",
    reason: "egress_refused",
    attempts: 1,
  });
  expect(here.calls).toHaveLength(2);
});

test("a health check is held to the same rules", async () => {
  const here = await agent();
  const registry = new AgentRegistry({
    agents: [{ name: "worker", url: `http://agents.test:${here.port}`, tasks: ["TASK"], limits: LIMITS }],
    egress: naming(() => "127.0.0.1", ["10.0.0.0/8"]),
  });
  open.push(() => registry.stop());
  await registry.start();
  expect(registry.list()).toMatchObject([{ status: "not_ready" }]);
  expect(here.calls).toEqual([]);
});

test("a redirect is not followed, by a run or by a health check", async () => {
  const target = await agent();
  const here = await startAgent(({ res }) => void res.writeHead(307, { location: target.url }).end());
  open.push(here.close);
  const egress = naming(() => "127.0.0.1", ["127.0.0.1"]);
  const client = clientFor(here.url, { egress });
  open.push(() => client.close());
  expect(await failureOf(client.stream(dispatch()))).toMatchObject({ reason: "redirect" });
  expect(await failureOf(client.sync(dispatch()))).toMatchObject({ reason: "redirect" });
  const registry = new AgentRegistry({
    agents: [{ name: "worker", url: here.url, tasks: ["TASK"], limits: LIMITS }],
    egress,
  });
  open.push(() => registry.stop());
  await registry.start();
  expect(target.calls).toEqual([]);
});
