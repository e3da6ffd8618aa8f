import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, decide, get, post, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

/** The shipped manifest, over agents that answer at once. */
const keep = closingAtEnd();
const effect = { demand: 1, revenue: 1, profit: 1 };
const PRICING = {
  PRICE_OPTIMIZATION: { proposed: [], totals: { current: effect, expected: effect, change: effect } },
  POLICY_CHECK: {
    passed: true,
    violations: [],
    suggestions: [],
    current: { violations: [], suggestions: [] },
  },
  PRICE_EXPLANATION: { items: [], omitted: 0, summary: "why" },
  SENSITIVITY_ANALYSIS: { summary: "how sure", totals: { robustness: {} } },
  PRICING_REPORT: { summary: "review", proposed: [], shown: {} },
  ORDER_CHECK: { passed: true, verdicts: [] },
};
const ANN = as("ann", "analyst");
const BO = as("bo", "pricing_approver");
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const tasks = Object.entries(PRICING).map(([task, outputs]) => [task, answering(outputs)]);
  const agent = keep(await standIn(Object.fromEntries(tasks)));
  gateway = keep(await testGateway({ manifest: shippedMesh(agent.url), redisUrl: redis.url }));
});

type Said = { message: string; thread_id: string; ui_hint?: { buttons: string[] } } & Record<string, unknown>;
type Asked = { runId: string; approvalId: string; hash: string };

/** A conversation of ann's. */
function conversation() {
  const session_id = randomUUID();
  const say = async (message: string): Promise<Said> => {
    const answer = await post(gateway, "/api/v1/chat", { message, session_id }, ANN);
    expect([message, answer.status, answer.text]).toEqual([message, 200, answer.text]);
    return answer.json() as Said;
  };
  /** Asks for an approval, as a client does that names what it wants. */
  const request = async (): Promise<Asked> => {
    const body = { flow: "pricing", goals: ["publish"], session_id };
    const { run_id } = (await post(gateway, "/api/v1/runs", body, ANN)).json();
    const last = (await toRest(gateway, String(run_id), ANN)).at(-1);
    const { id = "", proposal_hash = "" } = last?.data.approval ?? {};
    return { runId: String(run_id), approvalId: id, hash: proposal_hash };
  };
  return { say, request };
}

const stateOf = async ({ approvalId }: Pick<Asked, "approvalId">) =>
  (await get(gateway, `/api/v1/approvals/${approvalId}`, BO)).json().state;

describe("what was asked for is taken back", () => {
  test.each([
    ["cancel that, the boss said no", "Withdrawn"],
    ["withdraw it", "Withdrawn"],
    ["the boss said no, cancel that", "Withdrawn"],
    ["forget the publishing", "Withdrawn"],
    ["cancel the publication please", "Withdrawn"],
    ["cancel the approval", "Withdrawn"],
    ["drop the approval", "Withdrawn"],
    ["please withdraw the approval request", "Withdrawn"],
    ["취소해 줘", "철회했습니다"],
    ["승인 요청 철회해 줘", "철회했습니다"],
    ["게시 취소해 줘", "철회했습니다"],
  ])("%s", async (message, said) => {
    const { say, request } = conversation();
    const asked = await request();
    expect((await say(message)).message).toContain(said);
    expect(await stateOf(asked)).toBe("withdrawn");
  });

  test("behind the words that asked for it; then there is nothing more to take back", async () => {
    const { say } = conversation();
    const paused = await say("Propose prices and publish them");
    const { id } = paused.approval as { id: string };
    expect(await stateOf({ approvalId: id })).toBe("pending");
    expect((await say("cancel that, the boss said no")).message).toMatch(/^Withdrawn: .*“publish”/);
    expect(await stateOf({ approvalId: id })).toBe("withdrawn");
    expect((await say("withdraw the approval request")).message).toMatch(/withdrawn already/);
  });

  test("and what else the message asks for is offered, not done", async () => {
    const { say, request } = conversation();
    const asked = await request();
    const answer = await say("cancel that, publish the valve only");
    expect(await stateOf(asked)).toBe("withdrawn");
    expect(answer.ui_hint?.buttons).toEqual(["publish the valve only"]);
  });
});

describe("what stays as it was", () => {
  test.each(["can I cancel that?", "취소할까?"])(
    "%s: it is asked, with a button that does it",
    async (message) => {
      const { say, request } = conversation();
      const asked = await request();
      const [button = ""] = (await say(message)).ui_hint?.buttons ?? [];
      expect(await stateOf(asked)).toBe("pending");
      expect((await say(button)).message).toMatch(/^Withdrawn|철회했습니다/);
      expect(await stateOf(asked)).toBe("withdrawn");
    },
  );

  test.each(["don't cancel it", "who can cancel that?", "drop the change limit"])(
    "%s: it waits",
    async (message) => {
      const { say, request } = conversation();
      const asked = await request();
      await say(message);
      expect(await stateOf(asked)).toBe("pending");
    },
  );

  test("a constraint that was changed after it is what is taken back", async () => {
    const { say } = conversation();
    const { id } = (await say("Propose prices and publish them")).approval as { id: string };
    await say("Propose prices with at most 3 % change");
    expect((await say("undo that")).message).not.toContain("Withdrawn");
    expect(await stateOf({ approvalId: id })).toBe("pending");
    expect((await say("withdraw the approval request")).message).toContain("Withdrawn");
  });

  test("of other conversations nothing is taken back", async () => {
    const asked = await conversation().request();
    await conversation().say("cancel the approval request");
    expect(await stateOf(asked)).toBe("pending");
  });
});

test("where several wait, it is asked which one, and a button says it", async () => {
  const { say, request } = conversation();
  const [first, second] = [await request(), await request()];
  const answer = await say("cancel that");
  expect(answer.message).toContain(first.approvalId);
  const buttons = answer.ui_hint?.buttons ?? [];
  expect(buttons).toHaveLength(2);
  await say(buttons.find((button) => button.includes(first.approvalId)) ?? "");
  expect([await stateOf(first), await stateOf(second)]).toEqual(["withdrawn", "pending"]);
});

test("what was decided already is said to be", async () => {
  const { say, request } = conversation();
  const asked = await request();
  expect((await decide(gateway, asked, "approve", BO)).status).toBe(200);
  await until(
    async () => (await get(gateway, `/api/v1/runs/${asked.runId}`, ANN)).json().state === "finished",
  );
  expect((await say("withdraw the approval request")).message).toMatch(
    /nothing left to withdraw: “publish” was approved already.*It is done, and stays/,
  );
});
