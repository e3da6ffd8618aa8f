import { expect, test } from "@jest/globals";
import { type ChatEvent, readChat } from "./chat.ts";
import { chatPrinter } from "./print-chat.ts";

const first = `id: 1\ndata: {"seq":1,"done":false,"progress":{"stage":"started"}}\n\n`;
const last = `id: 2\ndata: {"seq":2,"done":true,"message":"Done."}\n\n`;

async function read(text: string): Promise<ChatEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const halves = [bytes.slice(0, 20), bytes.slice(20)];
  const events: ChatEvent[] = [];
  for await (const event of readChat(ReadableStream.from(halves))) events.push(event);
  return events;
}

test("reads the events of a whole stream", async () => {
  const events = await read(`: keepalive\n\n${first}${last}`);
  expect(events.map(({ seq, done }) => [seq, done])).toEqual([
    [1, false],
    [2, true],
  ]);
});

test.each([
  ["that ends without its last event", first, "without its done: true"],
  ["that is cut within its last event", `${first}${last.slice(0, -2)}`, "without its done: true"],
  ["with a gap", `${first}id: 3\ndata: {"seq":3,"done":true}\n\n`, "event 3 came after event 1"],
  ["whose id and seq differ", `id: 4\ndata: {"seq":1,"done":true}\n\n`, "event 1 has the id 4"],
  ["that goes on after its end", `${first}${last}id: 3\ndata: {"seq":3}\n\n`, "after the last one"],
  ["that is empty", "", "without its done: true"],
])("a stream %s is an error", async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test("prints plan, calls, violations with their fixes, and the answer once", () => {
  const written: string[] = [];
  const print = chatPrinter((text) => written.push(text));
  const violations = [{ message: "new is below exchange" }];
  const suggestions = [{ item_id: "a", field: "new", current: 9, new_value: 10.31, reason: "ordering" }];
  const outputs = {
    passed: true,
    violations: [],
    suggestions: [],
    before: { violations, suggestions },
    totals: { now: { profit: 1234.5678 } },
  };
  print({
    seq: 1,
    done: false,
    progress: {
      stage: "plan",
      steps: [
        { id: "optimize", agent: "optimizer", task_type: "PRICE_OPTIMIZATION", needs: [] },
        { id: "report", needs: ["optimize"] },
      ],
    },
  });
  print({
    seq: 2,
    done: false,
    node: "check",
    tool_call: { name: "policy_check", agent: "policy", status: "started" },
  });
  for (const completed of [1, 2, 3]) {
    print({
      seq: 2 + completed,
      done: false,
      node: "check",
      progress: { message: "checked", completed, total: 3 },
    });
  }
  print({
    seq: 6,
    done: false,
    node: "check",
    tool_call: { name: "policy_check", agent: "policy", status: "ok", duration_ms: 12, outputs },
  });
  print({ seq: 7, done: false, token: "All " });
  print({ seq: 8, done: false, token: "good." });
  print({ seq: 9, done: true, message: "All good." });
  expect(written.join("")).toBe(`  plan       optimize (optimizer: PRICE_OPTIMIZATION)
  plan       report after optimize
  tool call  policy_check at policy
  progress   check: checked 1 of 3
  progress   check: checked 3 of 3
  done       policy_check at policy in 12 ms
  policy     today: 1 violation
    violated new is below exchange
    fix      a new: 9 -> 10.31 (ordering)
  policy     proposed: no violations
  outputs    check: passed true
  outputs    check.totals.now: profit 1234.57

All good.
`);
});
