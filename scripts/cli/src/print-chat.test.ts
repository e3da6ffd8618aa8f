import type { ChatEvent } from "@interlock/client";
import { expect, test } from "@jest/globals";
import { chatPrinter } from "./print-chat.ts";

function printed(events: readonly ChatEvent[]): string {
  const written: string[] = [];
  const print = chatPrinter((text) => written.push(text));
  for (const event of events) print(event);
  return written.join("");
}

const call = { name: "policy_check", agent: "policy" };
const going = { done: false, node: "check" } as const;

test("prints plan, calls, violations with their fixes, and the answer once", () => {
  const steps = [
    { id: "optimize", agent: "optimizer", task_type: "PRICE_OPTIMIZATION", needs: [] },
    { id: "report", needs: ["optimize"] },
  ];
  const violations = [{ item_id: "a", message: "new is below exchange" }];
  const suggestions = [{ item_id: "a", field: "new", current: 9, new_value: 10.31, reason: "ordering" }];
  const outputs = {
    passed: true,
    violations: [],
    suggestions: [],
    before: { violations, suggestions },
    totals: { now: { profit: 1234.5678 } },
  };
  const counts = [1, 2, 3].map((completed): ChatEvent => {
    const progress = { message: "checked", completed, total: 3 };
    return { ...going, type: "progress", seq: 3 + completed, progress };
  });
  const events: ChatEvent[] = [
    { type: "started", seq: 1, done: false, thread_id: "r", progress: { stage: "started", intent: "plan" } },
    { type: "progress", seq: 2, done: false, progress: { stage: "plan", steps } },
    { ...going, type: "tool_call", seq: 3, tool_call: { ...call, status: "started" } },
    ...counts,
    { ...going, type: "tool_call", seq: 7, tool_call: { ...call, status: "ok", duration_ms: 12, outputs } },
    { type: "token", seq: 8, done: false, token: "All " },
    { type: "token", seq: 9, done: false, token: "good." },
    { type: "end", seq: 10, done: true, status: "ok", message: "All good." },
  ];
  expect(printed(events)).toBe(`  intent     plan
  plan       optimize (optimizer: PRICE_OPTIMIZATION)
  plan       report after optimize
  tool call  policy_check at policy
  progress   check: checked 1 of 3
  progress   check: checked 3 of 3
  done       policy_check at policy in 12 ms
  policy     today: 1 violation
    violated a: new is below exchange
    fix      a new: 9 -> 10.31 (ordering)
  policy     proposed: no violations
  outputs    check: passed true
  outputs    check.totals.now: profit 1234.57

All good.
`);
});

test("prints what failed, where, and by what code", () => {
  const failure = { code: "upstream_timeout", error: "An agent did not answer in time." };
  const events: ChatEvent[] = [
    { ...going, type: "tool_call", seq: 1, tool_call: { ...call, status: "error", ...failure } },
    { type: "end", seq: 2, done: true, status: "error", retryable: true, message: "Not done.", ...failure },
  ];
  expect(
    printed(events),
  ).toBe(`  failed     policy_check at policy: An agent did not answer in time. (upstream_timeout)

Not done.

The run failed: An agent did not answer in time. (upstream_timeout)
`);
});
