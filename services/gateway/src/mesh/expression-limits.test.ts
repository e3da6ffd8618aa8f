import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "@jest/globals";
import { until } from "../../test/support/until.ts";
import { JsonText } from "../json-text.ts";
import { compileExpression } from "./expression.ts";
import { ExpressionPool } from "./expression-pool.ts";

const pool = new ExpressionPool({ expressionTimeoutMs: 1_500, expressionMemoryMb: 128 });
afterAll(() => pool.close());

const OVER = { name: "GatewayError", code: "expression_timeout", retryable: false };
const many = (count: number) => ({ items: Array.from({ length: count }, (_, id) => ({ id })) });

describe("an expression ends by itself", () => {
  test.each([
    ["an endless recursion", "($f := function($n) { $f($n + 1) }; $f(0))"],
    ["a deep recursion", "($f := function($n) { 1 + $f($n + 1) }; $f(0))"],
    ["a catastrophic pattern", "$match($pad('', 60, 'a') & '!', /^(a+)+$/)"],
    ["an array that doubles", "($f := function($a) { $f($append($a, $a)) }; $f([1..1000]))"],
    // A single allocation above the limit, where V8 ends the whole process.
    ["a huge array", "$count([1..9999999].[1..9999999])"],
    ["an array beyond V8's own limit", "$count($split($pad('', 200000000, 'x'), ''))"],
    ["a huge result", "$pad('', 100000000, 'x')"],
    ["a join of all with all", "$count(items.($id := id; $$.items[id = $id]))"],
  ])("that is %s", async (_, source) => {
    await expect(compileExpression(source, pool)(many(20_000))).rejects.toMatchObject(OVER);
  });

  test("and the next one has a process to go on with", async () => {
    expect(await compileExpression("$map(items, function($i) { $i.id })", pool)(many(3))).toEqual([0, 1, 2]);
  });
});

test("an expression that is evaluated in the event loop is cheap, whatever the context", async () => {
  // Sequences that multiply with each step, a join, and strings that double: none of them may be taken for linear.
  const sources = [
    "items.[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].[$, $].id",
    "items.(id in $$.items.id)",
    "($all := items; $count(items.($count($all.id))))",
    "items[id = $count($$.items)]",
    "$join(items.id.$string(), long)",
    "items.$formatNumber(id, $$.long)",
    "$substringAfter(long, long)",
    '$substringBefore("a")',
    "($a := long & long; $b := $a & $a; $c := $b & $b; $length($c & $c))",
    "**.**.id",
    "items^(id)",
    "$count([0..9999999])",
    "$replace(long, 'a', long)",
    "$eval(long)",
    "$reduce(items, function($a, $b) { $a })",
  ];
  const evaluated: string[] = [];
  const spy = { evaluate: async (source: string) => void evaluated.push(source) };
  for (const source of sources) await compileExpression(source, spy)({ ...many(10), long: "1" });
  expect(evaluated).toEqual(sources);
});

test("an evaluation that is not wanted any more makes room for those that wait", async () => {
  const short = new ExpressionPool({ expressionTimeoutMs: 60_000, expressionMemoryMb: 128 });
  const abort = new AbortController();
  const endless = compileExpression("($f := function() { $f() }; $f())", short);
  const stopped = [1, 2, 3].map(() => expect(endless({}, abort.signal)).rejects.toThrow("not wanted"));
  const waiting = compileExpression("$map(list, function($n) { $n })", short)({ list: [1, 2] });
  abort.abort(new Error("not wanted"));
  await Promise.all(stopped);
  expect(await waiting).toEqual([1, 2]);
  await short.close();
});

test("a process that was lost while it was idle is replaced", async () => {
  const doubled = compileExpression("$map(list, function($n) { $n * 2 })", pool);
  await doubled({ list: [1] });
  const lost = children().flatMap(({ pid, isPool }) => (isPool ? [pid] : []));
  for (const pid of lost) process.kill(pid, "SIGKILL");
  await until(() => !children().some(({ pid }) => lost.includes(pid)));
  expect(lost).not.toEqual([]);
  expect(await doubled({ list: [1] })).toBe(2);
});

type Process = { pid: number; isPool: boolean };

/** The child processes of this one, the dead included that it has not noticed yet. */
function children(): Process[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((row) => {
    const [pid, parent, ...args] = row.trim().split(/\s+/);
    if (parent !== String(process.pid)) return [];
    return [{ pid: Number(pid), isPool: args.some((arg) => arg.endsWith("expression-process.ts")) }];
  });
}

test("what has large values waits a little for the process that has them, and goes on elsewhere where that one is held up", async () => {
  const own = new ExpressionPool({ expressionTimeoutMs: 60_000, expressionMemoryMb: 512 });
  // Sending it takes longer than a small evaluation does on a slow machine.
  const context = { text: new JsonText(`"${"x".repeat(30_000_000)}"`) };
  const others = children().filter(({ isPool }) => isPool).length;
  const started = () => children().filter(({ isPool }) => isPool).length - others;
  const reads = compileExpression("$map([1], function($n) { $exists(text) })", own);
  const endless = compileExpression("($f := function() { $f() }; $f())", own);
  const held = new AbortController();
  try {
    expect(await reads(context)).toBe(true);
    expect(await Promise.all([reads(context), reads(context)])).toEqual([true, true]);
    expect(started()).toBe(1);
    const stopped = expect(endless(context, held.signal)).rejects.toThrow("not wanted");
    expect(await reads(context)).toBe(true);
    held.abort(new Error("not wanted"));
    await stopped;
  } finally {
    await own.close();
  }
});

test("a closed pool leaves no process behind", async () => {
  const short = new ExpressionPool({ expressionTimeoutMs: 60_000, expressionMemoryMb: 128 });
  const endless = compileExpression("($f := function() { $f() }; $f())", short)({});
  const failed = expect(endless).rejects.toThrow();
  await short.close();
  await failed;
  await expect(compileExpression("$map(a, $string)", short)({ a: [1] })).rejects.toMatchObject({
    code: "draining",
  });
});

test("a process whose parent was gone before it could watch it ends by itself", async () => {
  const main = fileURLToPath(new URL("./expression-process.ts", import.meta.url));
  // As where the parent has died meanwhile: this process is not the one that it is told of.
  const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
  const child = fork(main, ["1"], { env: {}, execArgv: [], serialization: "advanced", stdio: [...stdio] });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});
