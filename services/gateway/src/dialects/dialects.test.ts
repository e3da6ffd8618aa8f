import { readdirSync, readFileSync } from "node:fs";
import { gatewayContract } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { decodeEvent, encodeEvent, isRest, relayEvent, type StoredEvent } from "../events/index.ts";
import { toChatEvent } from "./chat.ts";
import { DIALECTS } from "./dialects.ts";

/** The contract's own examples of events: one of each kind, at least. */
const folder = new URL("../../../../contracts/gateway/v1/examples/run-event/valid/", import.meta.url);
const EXAMPLES = readdirSync(folder).map((file): [string, StoredEvent] => {
  const json = JSON.stringify(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const { seq, type } = decodeEvent(json);
  return [file, { seq, type, json }];
});

const chat = DIALECTS.chat.open({ runId: "run1" });
const run = DIALECTS.run.open({ runId: "run1" });

/** What an event stream's reader makes of one frame. */
function parse(frame: string): { id: string; event: string; data: unknown } {
  const [, id, event, data] = /^id: (\d+)\n(?:event: (\w+)\n)?data: ([^\r\n]*)\n\n$/.exec(frame) ?? [];
  return { id: id ?? "", event: event ?? "message", data: JSON.parse(data ?? "") };
}

describe.each(EXAMPLES)("%s", (_file, event) => {
  test("is the event itself in the run dialect, under its name", () => {
    const { id, event: name, data } = parse(run.frame(event, isRest(event)));
    expect([id, name]).toEqual([String(event.seq), event.type]);
    expect(data).toEqual(JSON.parse(event.json));
    expect(gatewayContract.runEvent(data)).toMatchObject({ ok: true });
  });

  test("keeps the contract in the chat dialect, unnamed", () => {
    const { id, event: name, data } = parse(chat.frame(event, isRest(event)));
    expect([id, name]).toEqual([String(event.seq), "message"]);
    expect(gatewayContract.chatEvent(data)).toMatchObject({ ok: true });
    expect(data).toMatchObject({ seq: event.seq, done: isRest(event) });
  });
});

test("a pause that the run has gone on from is an ordinary event of the chat", () => {
  const [, paused] = EXAMPLES.find(([, event]) => event.type === "run_paused") ?? [];
  if (!paused) throw new Error("there is no example of a pause");
  const { data } = parse(chat.frame(paused, false));
  expect(data).toMatchObject({ done: false, status: "paused" });
  expect(gatewayContract.chatEvent(data)).toMatchObject({ ok: true });
});

test("an agent's progress cannot pass for the end of a run", () => {
  const json = JSON.stringify({
    run_id: "r",
    seq: 4,
    type: "progress",
    node: "n",
    at: "",
    data: { done: true, message: "x" },
  });
  expect(toChatEvent(decodeEvent(json))).toEqual({
    seq: 4,
    done: false,
    node: "n",
    progress: { done: true, message: "x" },
  });
});

describe("what the chat dialect cuts out of the log's text is what it would have written itself", () => {
  const AT = "2026-01-15T09:30:00.000Z";
  /** What would mislead a reader of the text that does not know where strings begin. */
  const envelope = fc.constantFrom(
    ',"data":',
    '"data":{',
    ',"at":"',
    '","node":"x","at":',
    "\\",
    '\\"',
    "}}",
    "\u2028🙂",
  );
  const text = fc
    .array(fc.oneof(envelope, fc.string({ unit: "grapheme" })), { maxLength: 5 })
    .map((parts) => parts.join(""));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(fc.jsonValue(), text, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
    object: fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  }));
  const data = value.object.map((object) => ({ ...Object(object) }));
  const asWritten = (event: StoredEvent) =>
    `id: ${event.seq}\ndata: ${JSON.stringify(toChatEvent(decodeEvent(event.json)))}\n\n`;

  test("of progress, relayed or our own", () => {
    fc.assert(
      fc.property(text, data, fc.nat(), fc.boolean(), (node, data, seq, last) => {
        const relayed = relayEvent({ runId: "run1", seq, at: AT, node, data: JSON.stringify(data) });
        expect(chat.frame(relayed, last)).toBe(asWritten(relayed));
        const own = encodeEvent("run1", seq, AT, { type: "progress", node, data });
        expect(chat.frame(own, last)).toBe(asWritten(own));
      }),
    );
  });

  test("of progress that the agent wrote with white space", () => {
    fc.assert(
      fc.property(text, data, (node, data) => {
        const event = relayEvent({
          runId: "run1",
          seq: 3,
          at: AT,
          node,
          data: JSON.stringify(data, null, 2).replaceAll("\n", "\t"),
        });
        expect(parse(chat.frame(event, false))).toEqual(parse(asWritten(event)));
      }),
    );
  });

  test("of tokens", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), fc.boolean(), (node, text, seq, last) => {
        const event = encodeEvent("run1", seq, AT, { type: "token", node, data: { text } });
        expect(chat.frame(event, last)).toBe(asWritten(event));
      }),
    );
  });
});
