import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { until } from "../../../test/support/until.ts";
import { canonicalJson } from "../../canonical-json.ts";
import { JsonText } from "../../json-text.ts";
import { patched } from "../data/index.ts";
import { readable } from "../readable.ts";
import { LargeValues } from "./large-values.ts";

const MAIN = fileURLToPath(new URL("./process.ts", import.meta.url));
const large = new LargeValues({ largeTimeoutMs: 20_000, largeMemoryMb: 256 });
afterAll(() => large.close());

/** Longer than one message to a process, in characters of more than one byte. */
const LONG = "✓ größer\n".repeat(100_000);
const ROWS = Array.from({ length: 20_000 }, (_, id) => ({ price: id / 7, id: `Ä-${id}` }));
const text = (value: unknown) => new JsonText(JSON.stringify(value));

describe("an object is read", () => {
  test.each([
    ["text", (json: string) => json],
    ["UTF-8", (json: string) => Buffer.from(json)],
  ])("from %s; members that are asked for stay as they are written", async (_, of) => {
    const outputs = `{ "rows": ${JSON.stringify(ROWS)},  "x": 1.50, "long": ${JSON.stringify(LONG)} }`;
    const json = of(`{"id": "r", "outputs": ${outputs}, "data": [1], "more": {"a": null}, "none": null}`);
    const read = await large.readObject(json, ["outputs", "data", "none", "absent"], 10);
    if (!read.ok) throw new Error(read.problem);
    const { outputs: kept, ...rest } = read.object;
    // Only objects stay text.
    expect(rest).toEqual({ id: "r", data: [1], more: { a: null }, none: null });
    expect(kept).toBeInstanceOf(JsonText);
    expect(Object(kept).text).toBe(outputs);
  });

  test.each([
    ["that is no JSON", '{"a": }', "not_json"],
    ["that ends too early", '{"a": [1', "not_json"],
    ["that is a list", "[1]", "not_an_object"],
    ["that is nothing", "null", "not_an_object"],
    ["that is nested too deeply", `{"a":${"[".repeat(10)}${"]".repeat(10)}}`, "too_deep"],
  ])("but not one %s", async (_, json, problem) => {
    expect(await large.readObject(json, [], 10)).toEqual({ ok: false, problem });
  });
});

test("a value is held against a schema, and the place of what breaks it is told", async () => {
  const row = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };
  const schema = { type: "object", properties: { rows: { type: "array", items: row } } };
  expect(await large.check(schema, text({ rows: ROWS }))).toBeUndefined();
  expect(await large.check(schema, { rows: [...ROWS, { id: "secret" }] })).toBe("/rows/20000/price");
});

test("equal values have one text, whatever order they were written in", async () => {
  expect((await large.canonical(text({ rows: ROWS, long: LONG }))).text).toBe(
    canonicalJson({ long: LONG, rows: ROWS }),
  );
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const json = JSON.stringify(value);
      expect((await large.canonical(new JsonText(json))).text).toBe(canonicalJson(JSON.parse(json)));
    }),
    { numRuns: 50 },
  );
});

test("a text for people is the one that is made of a value that is read already", async () => {
  const value = { rows: ROWS, note: "ok" };
  expect(await large.readable(text(value))).toBe(readable(value));
  expect(await large.readable({ rows: text(ROWS), note: "ok" })).toBe(readable(value));
});

describe("a condition is told", () => {
  const holds = (source: string) =>
    large.holds(source, ["outputs"], { outputs: text({ rows: ROWS.slice(0, 10_000), all: ROWS }) });

  test("over values that are not parsed here", async () => {
    expect(await holds('outputs.rows.exists(row, row.id == "Ä-9999")')).toBe(true);
    expect(await holds("outputs.rows.all(row, row.price < 5)")).toBe(false);
  });

  test("or it is said why not, without any value", async () => {
    const failed = { code: "condition_failed" };
    await expect(holds("outputs.rows.exists(row, row.id > 1)")).rejects.toMatchObject(failed);
    await expect(holds("outputs.rows.exists(row, row.id > 1)")).rejects.not.toThrow(/Ä/);
    await expect(holds("outputs.all.exists(row, row.price < 0)")).rejects.toThrow("more than 10000 elements");
  });
});

test("edits are made to a large proposal, which comes back in the form that is hashed", async () => {
  const rule = { keys: ["id"], set: "price" };
  const edits = [{ id: "Ä-19999", price: 1 }];
  const made = await large.patch(text(ROWS), JSON.stringify(edits), rule);
  expect(made?.text).toBe(canonicalJson(patched(ROWS, edits, rule)));
  for (const wrong of [[{ id: "Ä", price: 1 }], [{ id: "Ä-1", price: 1, note: "x" }], { price: 1 }])
    expect(await large.patch(text(ROWS), JSON.stringify(wrong), rule)).toBeUndefined();
});

const OVER = { name: "GatewayError", code: "value_timeout", retryable: false };
const ENDLESS = { properties: { note: { pattern: "^(a+)+$" } } };
const endless = (values: LargeValues) => values.check(ENDLESS, { note: `${"a".repeat(60)}!` });

describe("what takes too much", () => {
  test("time fails, the event loop goes on meanwhile, and the next task has a process", async () => {
    const values = new LargeValues({ largeTimeoutMs: 1_500, largeMemoryMb: 128 });
    try {
      let turns = 0;
      let isOver = false;
      const over = expect(endless(values).finally(() => (isOver = true))).rejects.toMatchObject(OVER);
      while (!isOver) {
        await setImmediate();
        turns += 1;
      }
      await over;
      expect(turns).toBeGreaterThan(100);
      expect((await values.canonical(new JsonText('{"b":1,"a":2}'))).text).toBe('{"a":2,"b":1}');
    } finally {
      await values.close();
    }
  });

  test("memory fails, and the next task has a process", async () => {
    const values = new LargeValues({ largeTimeoutMs: 60_000, largeMemoryMb: 64 });
    const many = `{"rows":[${"{},".repeat(5_000_000)}{}]}`;
    try {
      await expect(values.readObject(many, [], 10)).rejects.toMatchObject(OVER);
      expect(await values.readObject("{}", [], 10)).toEqual({ ok: true, object: {} });
    } finally {
      await values.close();
    }
  });
});

/** The child processes of this one, the dead included that it has not noticed yet; those that look into large values alone on request. */
function children({ alive = false } = {}): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((row) => {
    const [pid, parent, ...args] = row.trim().split(/\s+/);
    return parent === String(process.pid) && (!alive || args.includes(MAIN)) ? [Number(pid)] : [];
  });
}

test("tasks that are not wanted any more make room for those that wait", async () => {
  const before = children({ alive: true });
  const values = new LargeValues({ largeTimeoutMs: 60_000, largeMemoryMb: 1_024 });
  const much = new JsonText(`[${'{"b":1,"a":2},'.repeat(1_000_000)}0]`);
  const abort = new AbortController();
  const stopped = [1, 2, 3].map(() =>
    expect(values.canonical(much, abort.signal)).rejects.toThrow("not wanted"),
  );
  const waiting = values.canonical(new JsonText('{"b":1,"a":2}'));
  await until(() => children({ alive: true }).length === before.length + 2);
  abort.abort(new Error("not wanted"));
  await Promise.all(stopped);
  expect((await waiting).text).toBe('{"a":2,"b":1}');
  await values.close();
});

test("a process that was lost while it was idle is replaced", async () => {
  const sorted = async () => (await large.canonical(new JsonText('{"b":1,"a":2}'))).text;
  await sorted();
  const lost = children({ alive: true });
  expect(lost).not.toEqual([]);
  for (const pid of lost) process.kill(pid, "SIGKILL");
  await until(() => !children().some((pid) => lost.includes(pid)));
  expect(await sorted()).toBe('{"a":2,"b":1}');
});

test("what is closed leaves no process behind", async () => {
  const before = children({ alive: true });
  const values = new LargeValues({ largeTimeoutMs: 60_000, largeMemoryMb: 128 });
  const failed = expect(endless(values)).rejects.toMatchObject({ code: "draining" });
  await until(() => children({ alive: true }).length > before.length);
  await values.close();
  await failed;
  await expect(values.readable({ a: 1 })).rejects.toMatchObject({ code: "draining" });
  await until(() => children({ alive: true }).every((pid) => before.includes(pid)));
});

test("a process whose parent was gone before it could watch it ends by itself", async () => {
  // As where the parent has died meanwhile: this process is not the one that it is told of.
  const child = fork(MAIN, ["1"], {
    env: {},
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});
