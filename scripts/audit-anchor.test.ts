import { execFile } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closingAtEnd } from "../services/gateway/test/support/closing.ts";
import { testRedis } from "../services/gateway/test/support/redis.ts";

const keep = closingAtEnd();
let url: string;
let redis: Redis;
let file: string;
let tenant: string;

beforeAll(async () => {
  ({ url } = keep(await testRedis()));
  redis = new Redis(url);
  keep({ stop: () => redis.disconnect() });
  const dir = mkdtempSync(join(tmpdir(), "interlock-anchors-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  file = join(dir, "anchors.jsonl");
});

beforeEach(async () => {
  tenant = randomUUID();
  writeFileSync(file, "");
  await writeLog(Array.from({ length: 5 }, (_, n) => noted(`session ${n}`)));
});

const noted = (resource: string) => ({
  act: "foreign_access",
  at: "2026-01-01T00:00:00.000Z",
  by: "local:ann",
  count: 1,
  from: "192.0.2.1",
  resource,
});

/** Writes the tenant's log anew, consistently, as somebody could who can write to Redis. */
async function writeLog(entries: readonly object[]): Promise<void> {
  const log = `il:{${tenant}}:audit`;
  await redis.del(log, `${log}:head`);
  let link = "";
  for (const [n, entry] of entries.entries()) {
    const text = JSON.stringify(entry);
    const digest = hash("sha256", text);
    link = hash("sha1", link + digest);
    await redis.xadd(log, `${n + 1}-0`, "entry", text, "digest", digest, "link", link);
  }
  if (link) await redis.set(`${log}:head`, link);
}

async function written(): Promise<object[]> {
  const all = await redis.xrange(`il:{${tenant}}:audit`, "-", "+");
  return all.map(([, [, entry = ""]]) => JSON.parse(entry));
}

function run(
  script: "audit-anchor" | "audit-verify",
  ...args: string[]
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const path = fileURLToPath(new URL(`./${script}.ts`, import.meta.url));
    const env = { ...process.env, REDIS_URL: url };
    const child = execFile(process.execPath, [path, ...args], { env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, text: stdout + stderr });
    });
  });
}

test("an anchor is printed and kept, and fits the log as it was, also after more was appended", async () => {
  const { code, text } = await run("audit-anchor", "--file", file, tenant);
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({
    tenant,
    length: 5,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(readFileSync(file, "utf8")).toBe(text);
  await writeLog([...(await written()), noted("session 6")]);
  expect((await run("audit-anchor", "--file", file, tenant)).code).toBe(0);
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
  expect(await run("audit-verify", "--anchor", file, tenant)).toEqual({
    code: 0,
    text: `${tenant}: 6 entries, unbroken\n`,
  });
});

/** Each leaves a chain that fits its head, which only the anchor contradicts. */
const REWRITES: Record<string, [change: (entries: object[]) => object[], found: string]> = {
  "the last entry is cut off": [(entries) => entries.slice(0, -1), "there were 5 entries, now there are 4"],
  "the whole log is gone": [() => [], "there were 5 entries, now there are 0"],
  "an entry is rewritten": [
    (entries) => entries.with(1, noted("session other")),
    "the first 5 entries are not those of that time",
  ],
  "an entry is taken out and others are appended": [
    (entries) => [...entries.toSpliced(2, 1), noted("session 6"), noted("session 7")],
    "the first 5 entries are not those of that time",
  ],
};

test.each(Object.entries(REWRITES))("%s: the anchor tells", async (_, [change, found]) => {
  await run("audit-anchor", "--file", file, tenant);
  await writeLog(change(await written()));
  expect(await run("audit-verify", tenant)).toMatchObject({ code: 0 });
  const { code, text } = await run("audit-verify", "--anchor", file);
  expect([code, text]).toEqual([1, expect.stringContaining(found)]);
  expect(text).toContain(`${tenant}: BROKEN: anchor of `);
});

test("a log that is broken gets no anchor", async () => {
  await redis.del(`il:{${tenant}}:audit:head`);
  const { code, text } = await run("audit-anchor", "--file", file, tenant);
  expect([code, text]).toEqual([1, expect.stringContaining("BROKEN")]);
  expect(readFileSync(file, "utf8")).toBe("");
});

test("a file that holds something else is refused", async () => {
  writeFileSync(file, "{}\n");
  expect(await run("audit-verify", "--anchor", file, tenant)).toEqual({
    code: 1,
    text: `${file}:1 is not an anchor\n`,
  });
});

test.each<[problem: string, entry: object]>([
  ["an act that no gateway writes", { ...noted("x"), act: "granted" }],
  ["who", { ...noted("x"), by: undefined }],
  ["when", { ...noted("x"), at: "soon" }],
  ["how often", { ...noted("x"), count: 0 }],
])("an entry that is none is found: %s", async (problem, entry) => {
  await writeLog([entry]);
  const { code, text } = await run("audit-verify", tenant);
  expect([code, text]).toEqual([1, expect.stringContaining(problem)]);
});
