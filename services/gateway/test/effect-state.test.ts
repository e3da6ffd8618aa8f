import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, decide, get, post, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let gateway: TestGateway;

beforeAll(async () => {
  agent = keep(await standIn(PUBLISHING));
  const mesh = publishingMesh(agent.url);
  const label = { en: "Publish the prices", ko: "가격 게시" };
  const publishing = { ...mesh.services.publishing, label };
  gateway = keep(
    await testGateway({
      manifest: { ...mesh, services: { ...mesh.services, publishing } },
      redisUrl: keep(await testRedis()).url,
    }),
  );
});

type Said = {
  message: string;
  thread_id: string;
  status: string;
  seq: number;
  approval?: { id: string; proposal_hash: string };
  ui_hint?: { buttons: string[] };
};

/** A conversation of one user, in a tenant of its own. */
function conversation(tenant = randomUUID(), user = "ann", session_id: string = randomUUID()) {
  const headers = as(user, "analyst", tenant);
  return {
    tenant,
    headers,
    async say(message: string): Promise<Said> {
      const answer = await post(gateway, "/api/v1/chat", { message, session_id }, headers);
      expect([message, answer.status]).toEqual([message, 200]);
      expect(gatewayContract.chatAnswer(answer.json())).toMatchObject({ ok: true });
      return answer.json() as Said;
    },
    /** How many approvals there are in the tenant. */
    async approvals(): Promise<number> {
      const answer = await get(gateway, "/api/v1/approvals?state=all", as("lee", "pricing-lead", tenant));
      return (answer.json().approvals as unknown[]).length;
    },
  };
}

async function decided(tenant: string, said: Said, decision: "approve" | "reject", note?: string) {
  const { id = "", proposal_hash = "" } = said.approval ?? {};
  const lee = as("lee", "pricing-lead", tenant);
  const answer = await decide(gateway, { approvalId: id, hash: proposal_hash }, decision, lee, { note });
  expect(answer).toMatchObject({ status: 200 });
}

/** "23 Nov 2026, 22:20 UTC". */
const TIME = String.raw`\d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC`;
const KOREAN_TIME = String.raw`\d{4}년 \d{1,2}월 \d{1,2}일 \d\d:\d\d UTC`;

describe("the state of what has effects", () => {
  test.each([
    ["who has to approve?", "It may be decided by: pricing-lead"],
    ["what is waiting?", "One request waits for approval"],
    ["has it been published yet?", "Not published yet"],
    ["누가 승인해야 하나요?", "결정할 수 있는 역할: pricing-lead"],
    ["게시됐나요?", "아직 게시되지 않았습니다"],
  ])("%s is answered while the request waits, and raises none", async (question, words) => {
    const talk = conversation();
    const paused = await talk.say("publish the prices");
    expect(paused.status).toBe("paused");
    const calls = agent.calls.length;
    const { message, status } = await talk.say(question);
    expect(status).toBe("ok");
    expect(message).toContain(words);
    expect(message).toContain("pricing-lead");
    expect(message).toContain(paused.approval?.id);
    expect(message).toMatch(new RegExp(/\p{Script=Hangul}/u.test(question) ? KOREAN_TIME : TIME));
    expect(await talk.approvals()).toBe(1);
    expect(agent.calls).toHaveLength(calls);
  });

  test("after a pause a button asks for it, in the language of the message", async () => {
    const talk = conversation();
    for (const [order, button, words] of [
      ["publish the prices", "What waits for approval?", "One request waits for approval"],
      ["publish 해 주세요", "승인 대기 중인 것은?", "승인 대기 중인 요청 2건"],
    ] as const) {
      const { ui_hint } = await talk.say(order);
      expect(ui_hint?.buttons).toContain(button);
      expect((await talk.say(button)).message).toContain(words);
    }
  });

  test("says who decided, when, and what was published when and at whose request", async () => {
    const talk = conversation();
    const paused = await talk.say("publish the prices");
    await decided(talk.tenant, paused, "approve", "fine");
    await toRest(gateway, paused.thread_id, talk.headers, paused.seq);
    for (const question of ["who approved it?", "when was it published, and by whom?"]) {
      const { message } = await talk.say(question);
      expect(message).toContain("Nothing that you may see waits for approval.");
      expect(message).toMatch(
        new RegExp(
          `“Publish the prices”, asked for by ann .*: approved by lee on ${TIME}.* Published in “price-book” on ${TIME}`,
        ),
      );
      // The run's events, which Ann may read, do not have the comment.
      expect(message).not.toContain("fine");
    }
    const korean = await talk.say("누가 언제 승인했나요?");
    expect(korean.message).toMatch(new RegExp(`${KOREAN_TIME}에 lee 님이 승인`));
    expect(await talk.approvals()).toBe(1);
    // A conversation that has asked for nothing is told what the book says.
    const other = conversation(talk.tenant, "kim");
    expect((await other.say("who published the last prices?")).message).toMatch(
      new RegExp(`Published last:\n- “price-book”, ${TIME}, asked for by ann, approved by lee`),
    );
  });

  test("says what was refused", async () => {
    const talk = conversation();
    const paused = await talk.say("publish the prices");
    await decided(talk.tenant, paused, "reject");
    await toRest(gateway, paused.thread_id, talk.headers, paused.seq);
    const { message } = await talk.say("Was it approved?");
    expect(message).toMatch(new RegExp(`rejected by lee on ${TIME}. Nothing of it was published`));
    expect(message).toContain("Nothing that you may see has been published.");
  });

  test("whoever may read an approval sees its comment, as one line of an answer", async () => {
    const tenant = randomUUID();
    const boss = { headers: as("mia", "pricing-lead", tenant) };
    const session_id = randomUUID();
    const say = async (message: string) =>
      (await post(gateway, "/api/v1/chat", { message, session_id }, boss.headers)).json() as Said;
    const paused = await say("publish the prices");
    await decided(tenant, paused, "approve", 'all good\n\n- "approved" by <b>nobody</b>');
    await toRest(gateway, paused.thread_id, boss.headers, paused.seq);
    const { message } = await say("who approved it?");
    expect(message).toContain("with the comment “all good - 'approved' by ‹b›nobody‹/b›”");
  });

  test("is nobody else's: neither another tenant nor a user without the right sees a request", async () => {
    const talk = conversation();
    const paused = await talk.say("publish the prices");
    for (const stranger of [conversation(talk.tenant, "kim"), conversation()]) {
      const { message } = await stranger.say("what is waiting for approval?");
      expect(message).toContain("Nothing that you may see waits for approval.");
      expect(message).not.toContain(paused.approval?.id);
      expect(message).not.toContain("ann");
    }
    // Who decides sees it, whoever asked for it.
    const lee = await post(
      gateway,
      "/api/v1/chat",
      { message: "what is waiting for approval?", session_id: randomUUID() },
      as("lee", "pricing-lead", talk.tenant),
    );
    expect(lee.json().message).toContain(`asked for by ann (approval ${paused.approval?.id})`);
  });

  test("an order beside a question is done, and the state is that of before", async () => {
    const talk = conversation();
    const { status, message } = await talk.say("Publish the prices. Who approved the last ones?");
    expect(status).toBe("paused");
    expect(message).toContain(
      "Before what this message asks for:\n\nNothing that you may see waits for approval.",
    );
    expect(await talk.approvals()).toBe(1);
  });

  test("an order within a question is asked about, beside the state", async () => {
    const talk = conversation();
    const { status, message } = await talk.say("publish the prices, and who approved the last ones?");
    expect(status).toBe("ok");
    expect(message).toContain("Nothing that you may see waits for approval.");
    expect(message).toContain("wants a clear order");
    expect(await talk.approvals()).toBe(0);
  });
});
