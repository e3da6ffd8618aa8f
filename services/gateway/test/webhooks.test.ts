import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, LEE, pausedRun, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE } from "./support/publishing.ts";
import { type Delivered, idsOf, receiver, type Told, verified } from "./support/receiver.ts";
import { testRedis } from "./support/redis.ts";
import { failing, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closing();
const keepAll = closingAtEnd();
const OLD = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const NEW = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const EVENTS = ["approval.requested", "approval.expiring", "approval.decided", "run.failed"];

let agentUrl: string;
let redisUrl: string;

beforeAll(async () => {
  const agent = keepAll(await standIn(PUBLISHING));
  agentUrl = agent.url;
  redisUrl = keepAll(await testRedis()).url;
});

/** The gateway's options; a receiver has a name, since a delivery that is left over from another test goes nowhere. */
function options(webhooks: Record<string, object>, rule: object = {}, url = agentUrl) {
  return {
    manifest: { ...publishingMesh(url, { ...RULE, ...rule }), webhooks },
    redisUrl,
    env: { HOOK_OLD: OLD, HOOK_NEW: NEW, WEBHOOK_RETRY_MS: "20", PUBLIC_URL: "https://mesh.example" },
  };
}

const hook = (url: string, more: object = {}) => ({ url, events: EVENTS, secrets: ["HOOK_OLD"], ...more });

describe("webhooks", () => {
  test("tell of a request and its decision, signed, with a link and nothing of the proposal", async () => {
    const inbox = keep(await receiver());
    const other = keep(await receiver());
    const gateway = keep(
      await testGateway(
        options({ all: hook(inbox.url), elsewhere: hook(other.url, { tenants: ["another-tenant"] }) }),
      ),
    );
    const paused = await pausedRun(gateway, { flow: "publishing" });
    expect(await decide(gateway, paused, "approve", LEE)).toMatchObject({ status: 200 });
    await until(() => idsOf(inbox.delivered).size === 2);
    const told = inbox.delivered.map((one) => verified(OLD, one));
    const about = { tenant: "default", run_id: paused.runId, approval_id: paused.approvalId };
    const url = `https://mesh.example/console/approvals/${paused.approvalId}`;
    expect(told.find(({ type }) => type === "approval.requested")?.data).toEqual({
      ...about,
      sequence: expect.any(Number),
      url,
    });
    expect(told.find(({ type }) => type === "approval.decided")?.data).toEqual({
      ...about,
      sequence: paused.seq + 1,
      state: "approved",
      url,
    });
    // The same gateway tells it of its own tenant only.
    const theirs = as("amy", "", "another-tenant");
    await pausedRun(gateway, { flow: "publishing" }, theirs);
    await until(() => other.delivered.length === 1);
    expect(verified(OLD, other.delivered[0] as Delivered).data.tenant).toBe("another-tenant");
  });

  test("are sent again, with the same id and text, until the receiver takes them", async () => {
    const inbox = keep(await receiver((_one, nth) => [503, 302, 500][nth - 1] ?? 204));
    const gateway = keep(await testGateway(options({ retried: hook(inbox.url) })));
    await pausedRun(gateway, { flow: "publishing" });
    await until(() => inbox.delivered.length === 4);
    expect(idsOf(inbox.delivered).size).toBe(1);
    expect(new Set(inbox.delivered.map(({ body }) => body)).size).toBe(1);
    for (const one of inbox.delivered) verified(OLD, one);
  });

  test("are signed with every secret, so that a receiver may change from one to the next", async () => {
    const inbox = keep(await receiver());
    const rotating = hook(inbox.url, { secrets: ["HOOK_OLD", "HOOK_NEW"] });
    const gateway = keep(await testGateway(options({ rotating })));
    await pausedRun(gateway, { flow: "publishing" });
    await until(() => inbox.delivered.length > 0);
    const [one] = inbox.delivered as [Delivered];
    expect(verified(OLD, one)).toEqual(verified(NEW, one));
    const stranger = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
    expect(() => verified(stranger, one)).toThrow("No matching signature found");
    expect(() => verified(OLD, { ...one, body: `${one.body} ` })).toThrow("No matching signature found");
  });

  test("tell of an approval that is about to expire, that expired, and of a run that failed", async () => {
    const inbox = keep(await receiver());
    const agent = keep(
      await standIn({ ...PUBLISHING, PRICE_OPTIMIZATION: failing("INFEASIBLE", "There is no solution.") }),
    );
    const hasty = { expires_in_s: 2, warn_before_s: 1 };
    const gateway = keep(await testGateway(options({ late: hook(inbox.url) }, hasty)));
    const failingOne = keep(await testGateway(options({ late: hook(inbox.url) }, hasty, agent.url)));
    const failed = await startRun(failingOne, { flow: "publishing" });
    expect((await toRest(failingOne, failed, ANN)).at(-1)).toMatchObject({ type: "run_failed" });
    await pausedRun(gateway, { flow: "publishing" });
    const told = () => inbox.delivered.map((one) => verified(OLD, one));
    const has = (type: string) => told().some((one) => one.type === type);
    await until(() => has("approval.expiring") && has("approval.decided") && has("run.failed"));
    expect(told().find(({ type }) => type === "approval.decided")?.data.state).toBe("expired");
    const { data } = told().find(({ type }) => type === "run.failed") as Told;
    expect(data).toMatchObject({ run_id: failed, url: `https://mesh.example/console/runs/${failed}` });
  });

  test("survive kill -9 of the gateway that was delivering", async () => {
    let dead = true;
    const inbox = keep(await receiver(() => (dead ? "nothing" : 204)));
    const shared = options({ durable: hook(inbox.url) });
    const first = keep(await gatewayProcess(shared));
    const paused = await pausedRun(first, { flow: "publishing" });
    await until(() => inbox.delivered.length === 1);
    first.child.kill("SIGKILL");
    await first.exited;
    dead = false;
    keep(await testGateway(shared));
    await until(() => inbox.delivered.length === 2);
    expect(idsOf(inbox.delivered).size).toBe(1);
    expect(verified(OLD, inbox.delivered[1] as Delivered).data).toMatchObject({ run_id: paused.runId });
  });

  test.each(["http://169.254.169.254/latest", "http://10.0.0.1/hook"])(
    "are not sent to where agents may not be: %s",
    async (url) => {
      await expect(testGateway(options({ inside: hook(url) }))).rejects.toThrow("webhooks.inside.url");
    },
  );
});
