import { holdDialogue, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTransfer, testLedger } from "../test/agent.ts";
import { MORE_SENTENCES } from "../test/more-sentences.ts";
import { SENTENCES } from "../test/sentences.ts";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startTransfer(testLedger());
});
afterAll(() => agent.close());

test.each([...SENTENCES, ...MORE_SENTENCES])(
  "%s",
  async (messages, slots, { stage = "READY", queue = [] } = {}) => {
    const talk = holdDialogue(agent, "TRANSFER_TURN");
    let state: object = {};
    for (const message of messages.split(" / ")) state = (await talk.say(message)).state;
    expect(state).toMatchObject({ stage });
    expect({ slots: Reflect.get(state, "slots"), queue: Reflect.get(state, "queue") }).toEqual({
      slots,
      queue,
    });
  },
);
