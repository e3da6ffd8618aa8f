import { describe, expect, test } from "@jest/globals";
import { ResultCache } from "./result-cache.ts";

type Made = { n: number; fails?: boolean; text?: string };

function cacheOf(maxBytes = 10_000) {
  const clock = { now: 0 };
  const cache = new ResultCache<Made>({
    maxBytes,
    keeps: ({ fails }) => !fails,
    read: JSON.parse,
    now: () => clock.now,
  });
  let made = 0;
  const signal = new AbortController().signal;
  const get = (key: string, use: { ttlMs?: number; maxAgeMs?: number } = {}, more: Omit<Made, "n"> = {}) =>
    cache.get(key, { ttlMs: 1_000, signal, ...use }, async () => ({ n: ++made, ...more }));
  return { cache, clock, get, made: () => made };
}

describe("a result", () => {
  test("is kept for its time", async () => {
    const { clock, get } = cacheOf();
    expect(await get("a")).toEqual({ value: { n: 1 }, outcome: "miss", ageMs: 0 });
    clock.now = 999;
    expect(await get("a")).toEqual({ value: { n: 1 }, outcome: "hit", ageMs: 999 });
    expect(await get("b")).toMatchObject({ value: { n: 2 }, outcome: "miss" });
    clock.now = 1_000;
    expect(await get("a")).toMatchObject({ value: { n: 3 }, outcome: "miss" });
  });

  test("that is a failure is not kept, and neither is an error", async () => {
    const { cache, get, made } = cacheOf();
    await get("a", {}, { fails: true });
    expect(await get("a", {}, { fails: true })).toMatchObject({ value: { n: 2 }, outcome: "miss" });
    const use = { ttlMs: 1_000, signal: new AbortController().signal };
    const failing = () => cache.get("b", use, () => Promise.reject(new Error("no")));
    await expect(failing()).rejects.toThrow("no");
    await expect(failing()).rejects.toThrow("no");
    expect([made(), cache.bytes]).toEqual([2, 0]);
  });

  test("is as old as whoever asks allows", async () => {
    const { clock, get } = cacheOf();
    await get("a");
    clock.now = 500;
    expect(await get("a", { maxAgeMs: 500 })).toMatchObject({ outcome: "hit" });
    expect(await get("a", { maxAgeMs: 499 })).toMatchObject({ value: { n: 2 }, outcome: "miss" });
    expect(await get("a", { maxAgeMs: 0 })).toMatchObject({ value: { n: 3 }, outcome: "miss" });
    expect(await get("a")).toMatchObject({ value: { n: 3 }, outcome: "hit" });
  });

  test("is nobody's to change", async () => {
    const { get } = cacheOf();
    (await get("a")).value.n = 99;
    const { value } = await get("a");
    value.n = 77;
    expect((await get("a")).value).toEqual({ n: 1 });
  });
});

test("what was used longest ago makes room; what is too large is not kept", async () => {
  const { cache, get } = cacheOf(1_000);
  const text = "x".repeat(130);
  for (const key of ["a", "b", "c"]) await get(key, {}, { text });
  await get("a");
  await get("d", {}, { text });
  expect(await get("a", {}, { text })).toMatchObject({ outcome: "hit" });
  expect(await get("b", {}, { text })).toMatchObject({ outcome: "miss" });
  expect(cache.bytes).toBeLessThanOrEqual(1_000);
  await get("large", {}, { text: "x".repeat(2_000) });
  expect(await get("large")).toMatchObject({ outcome: "miss" });
});

describe("one call", () => {
  function held() {
    const cache = new ResultCache<Made>({ maxBytes: 1_000, keeps: () => true, read: JSON.parse });
    const answer = Promise.withResolvers<Made>();
    const signals: AbortSignal[] = [];
    const get = (signal = new AbortController().signal, maxAgeMs?: number) =>
      cache.get("a", { ttlMs: 1_000, maxAgeMs, signal }, (stop) => {
        signals.push(stop);
        return answer.promise;
      });
    return { get, answer, signals };
  }

  test("answers all that ask meanwhile", async () => {
    const { get, answer, signals } = held();
    const asked = [get(), get(), get()];
    answer.resolve({ n: 1 });
    expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(["miss", "shared", "shared"]);
    expect(signals).toHaveLength(1);
  });

  test("goes on while anybody waits for it, and ends with the last", async () => {
    const { get, signals } = held();
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [get(one.signal), get(two.signal)];
    one.abort(new Error("one"));
    await expect(asked[0]).rejects.toThrow("one");
    expect(signals[0]?.aborted).toBe(false);
    two.abort(new Error("two"));
    await expect(asked[1]).rejects.toThrow("two");
    expect(signals[0]?.aborted).toBe(true);
    // Nobody joins a call that has ended so.
    void get().catch(() => undefined);
    expect(signals).toHaveLength(2);
  });

  test("that was begun before does not do for whoever wants something newer", async () => {
    const clock = { now: 0 };
    const options = { maxBytes: 1_000, keeps: () => true, read: JSON.parse, now: () => clock.now };
    const cache = new ResultCache<Made>(options);
    const answers: ((made: Made) => void)[] = [];
    const get = (maxAgeMs?: number) =>
      cache.get(
        "a",
        { ttlMs: 1_000, maxAgeMs, signal: new AbortController().signal },
        () => new Promise((resolve) => answers.push(resolve)),
      );
    const asked = [get()];
    clock.now = 100;
    asked.push(get(100), get(99));
    // The one that was asked first is answered last.
    answers[1]?.({ n: 2 });
    await asked[2];
    answers[0]?.({ n: 1 });
    const made = (await Promise.all(asked)).map(({ value, outcome }) => [value.n, outcome]);
    expect(made).toEqual([
      [1, "miss"],
      [1, "shared"],
      [2, "miss"],
    ]);
    expect(await get()).toMatchObject({ value: { n: 2 }, outcome: "hit" });
  });

  test("whose result cannot be written is answered, and not kept", async () => {
    const options = { maxBytes: 1_000, keeps: () => true, read: JSON.parse, now: () => 0 };
    const cache = new ResultCache<{ n: unknown }>(options);
    const get = () =>
      cache.get("a", { ttlMs: 1_000, signal: new AbortController().signal }, async () => ({ n: 1n }));
    expect(await get()).toMatchObject({ value: { n: 1n }, outcome: "miss" });
    expect(await get()).toMatchObject({ outcome: "miss" });
  });

  test("that has its answer is not ended", async () => {
    const { get, answer, signals } = held();
    answer.resolve({ n: 1 });
    await get();
    expect(signals[0]?.aborted).toBe(false);
  });

  test("is not shared with who wants nothing that was begun before", async () => {
    const { get, answer, signals } = held();
    const asked = [get(), get(undefined, 0)];
    answer.resolve({ n: 1 });
    expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(["miss", "miss"]);
    expect(signals).toHaveLength(2);
  });
});
