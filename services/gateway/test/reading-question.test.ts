import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const effect = { demand: 1, revenue: 1, profit: 1 };
const given: { constraints: unknown }[] = [];
const questions: unknown[] = [];
let gateway: TestGateway;

beforeAll(async () => {
  const outputs = { proposed: [], totals: { current: effect, expected: effect, change: effect } };
  const agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: (call) => {
        given.push({ constraints: Object(call.body.inputs).constraints });
        return answering(outputs)(call);
      },
      COST_QUERY: (call) => {
        questions.push(Object(call.body.inputs).question);
        return answering({})(call);
      },
    }),
  );
  const redisUrl = keep(await testRedis()).url;
  // Whatever could be wrong is asked about.
  const env = { READING_RISK: "0" };
  gateway = keep(await testGateway({ manifest: shippedMesh(agent.url), redisUrl, env }));
});

/** What one conversation says, with what the agent got for it. */
function conversation() {
  const session_id = randomUUID();
  return async (message: string) => {
    given.length = 0;
    const answer = await post(gateway, "/api/v1/chat", { message, session_id }, as("ann", "analyst"));
    const { message: text, ui_hint } = answer.json();
    return { text: String(text), buttons: Object(ui_hint).buttons ?? [], given: [...given] };
  };
}

const FIVE = { slot: "max_change_pct", value: 0.05 };
const VALVE = { slot: "items", value: ["VALVE-V7"] };

describe("a reading that may be wrong", () => {
  test.each([
    [
      "Propose prices for the valve with at most 5 % change",
      /I read it so: “Propose the best prices”\. For VALVE-V7, at most 5 % change .*Shall I go on\?/s,
    ],
    [
      "밸브만 최대 5 % 변동으로 최적 가격을 제안해 줘",
      /이렇게 이해했습니다: “최적 가격 제안”\. .*VALVE-V7.*이대로 진행할까요\?/s,
    ],
  ])("is shown first, and done after a yes: %s", async (message, shown) => {
    const say = conversation();
    const asked = await say(message);
    expect(asked).toMatchObject({ text: expect.stringMatching(shown), given: [] });
    const [yes] = asked.buttons;
    expect((await say(yes)).given).toMatchObject([
      {
        constraints: expect.arrayContaining([expect.objectContaining(FIVE), expect.objectContaining(VALVE)]),
      },
    ]);
  });

  test("holds in nothing after a no: what is said then is about what was shown, and shown again", async () => {
    const say = conversation();
    const no = (await say("Propose prices for the valve with at most 5 % change")).buttons.at(-1);
    expect(await say(no)).toMatchObject({
      text: expect.stringContaining("Nothing was done"),
      buttons: [],
      given: [],
    });
    const next = await say("Propose prices for the pump");
    expect(next.text).toMatch(/For PUMP-C3, at most 5 % change \(/);
    expect(next.buttons).toContain("For PUMP-C3");
    expect((await say("For PUMP-C3")).given).toMatchObject([
      { constraints: [{ slot: "items", value: ["PUMP-C3"] }] },
    ]);
  });

  test("is done as it was shown, over two questions", async () => {
    const say = conversation();
    const first = await say("Propose prices for the valve with at most 5 % change");
    await say(first.buttons.at(-1));
    const shown = await say("add the pump");
    expect(shown.text).toMatch(/For (?:VALVE-V7 and PUMP-C3|PUMP-C3 and VALVE-V7), at most 5 % change/);
    expect((await say("yes")).given).toMatchObject([
      { constraints: expect.arrayContaining([expect.objectContaining(FIVE)]) },
    ]);
    expect((await say("and why?")).text).toMatch(
      /For (?:VALVE-V7 and PUMP-C3|PUMP-C3 and VALVE-V7), at most 5 % change/,
    );
  });

  test("is corrected in words, with or without a no", async () => {
    for (const words of [["at most 3 % rather"], ["no", "at most 3 % rather"]]) {
      const say = conversation();
      await say("Propose prices for the valve with at most 5 % change");
      let last = await say(words[0] ?? "");
      for (const more of words.slice(1)) last = await say(more);
      expect(last).toMatchObject({
        text: expect.stringMatching(/For VALVE-V7, at most 3 % change/),
        given: [],
      });
    }
  });

  test("is acted on where it is said once more", async () => {
    const say = conversation();
    await say("Propose prices for the valve with at most 5 % change");
    expect((await say("Propose prices for the valve with at most 5 % change")).given).toHaveLength(1);
  });

  test("is of no harm where nothing is to be applied", async () => {
    expect((await conversation()("Propose the best prices")).given).toHaveLength(1);
  });
});

test("an agent that reads the message gets the one that was asked about, and not the button", async () => {
  const say = conversation();
  const message = "How much did EC2 cost on August 11?";
  const [yes] = (await say(message)).buttons;
  expect(questions).toEqual([]);
  await say(yes);
  expect(questions).toEqual([message]);
});

test("a message that is too long for the learnt reader is asked about before anything is done", async () => {
  const say = conversation();
  const long = `Propose prices for the valve. ${"We talked about this at length. ".repeat(40)}No increases at all.`;
  const asked = await say(long);
  expect(asked.given).toEqual([]);
  expect(asked.text).toContain("VALVE-V7");
  expect((await say(asked.buttons[0])).given).toHaveLength(1);
});

test("a question shows what holds besides, and who meant neither says so", async () => {
  const say = conversation();
  const asked = await say("Propose prices for the valve with some limit on moves");
  expect(asked.text).toContain("In either case: For VALVE-V7.");
  expect(asked.buttons.at(-1)).toBe("No, something is different");
  expect(await say("No, something is different")).toMatchObject({
    text: expect.stringContaining("Nothing was done"),
    given: [],
  });
});
