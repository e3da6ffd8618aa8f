import { describe, expect, test } from "@jest/globals";
import { ConcurrencyLimit, type Sent } from "./concurrency-limit.ts";

type Request = { gateway: Gateway; left: number; startedAt: number; sent: Sent };

/** What an agent does with the requests that it has: how much of each it gets done per millisecond. */
type Agent = (requests: readonly Request[]) => readonly number[];

/** A process that computes: one request after the other. */
const inLine: Agent = (requests) => requests.map((_, at) => (at === 0 ? 1 : 0));
/** Workers that share their time between all requests. */
const sharing =
  (workers: number): Agent =>
  (requests) =>
    requests.map(() => Math.min(1, workers / requests.length));
/** Waits for something else, such as a model: the number of requests does not matter to it. */
const unbounded = sharing(Number.POSITIVE_INFINITY);

type Load = { agent: Agent; ms: () => number; requests: number };
/** A gateway, which learns its own limit. */
type Gateway = { limit: ConcurrencyLimit; underWay: number };
type Seen = { limits: number[]; tookMs: number };

/** Sends requests to an agent as fast as the limit lets them, in simulated time. */
function saturate({
  limit = new ConcurrencyLimit(1_000),
  ...load
}: Load & { limit?: ConcurrencyLimit }): Seen {
  const limits: number[] = [];
  const tookMs = share({ ...load, limits: [limit] }, () => limits.push(limit.value));
  return { limits, tookMs };
}

/** Several gateways send requests to one agent as fast as their limits let them, in simulated time. @returns how long that took */
function share(
  { agent, ms, requests, limits }: Load & { limits: ConcurrencyLimit[] },
  onAnswer: (underWay: number) => void,
): number {
  const gateways: Gateway[] = limits.map((limit) => ({ limit, underWay: 0 }));
  let [now, unsent] = [0, requests];
  let underWay: Request[] = [];
  for (;;) {
    // One request each, in turn.
    for (let open = gateways; unsent > 0; ) {
      open = open.filter((gateway) => gateway.underWay < gateway.limit.value);
      if (open.length === 0) break;
      for (const gateway of open.slice(0, unsent)) {
        gateway.underWay++;
        unsent--;
        const { value, round } = gateway.limit;
        underWay.push({ gateway, left: ms(), startedAt: now, sent: { limit: value, round } });
      }
    }
    if (unsent > 0) for (const { limit } of gateways) limit.need();
    if (underWay.length === 0) return now;
    const speeds = agent(underWay);
    const lasts = underWay.map(({ left }, at) => left / (speeds[at] ?? 0));
    const first = lasts.indexOf(Math.min(...lasts));
    const step = lasts[first] ?? 0;
    now += step;
    underWay.forEach((request, at) => {
      request.left -= step * (speeds[at] ?? 0);
    });
    const done = underWay[first];
    if (!done) throw new Error("nothing is under way");
    underWay = underWay.filter((request) => request !== done);
    const { gateway, sent, startedAt } = done;
    gateway.limit.answered(sent, now - startedAt);
    gateway.underWay--;
    onAnswer(underWay.length);
  }
}

type Task = { at: number; ms: number };

/** Sends tasks as they arrive to an agent that waits for something else, in simulated time. @returns the limit after each answer */
function arrive(tasks: readonly Task[], limit: ConcurrencyLimit): number[] {
  const limits: number[] = [];
  const waiting = tasks.toSorted((a, b) => a.at - b.at);
  let underWay: { endsAt: number; startedAt: number; sent: Sent }[] = [];
  for (let now = 0; waiting.length + underWay.length > 0; ) {
    while (waiting[0] !== undefined && waiting[0].at <= now) {
      if (underWay.length >= limit.value) {
        limit.need();
        break;
      }
      const sent = { limit: limit.value, round: limit.round };
      underWay.push({ endsAt: now + (waiting.shift()?.ms ?? 0), startedAt: now, sent });
    }
    const arrivesAt =
      underWay.length < limit.value ? (waiting[0]?.at ?? Number.POSITIVE_INFINITY) : undefined;
    now = Math.min(arrivesAt ?? Number.POSITIVE_INFINITY, ...underWay.map(({ endsAt }) => endsAt));
    for (const { startedAt, sent } of underWay.filter(({ endsAt }) => endsAt <= now)) {
      limit.answered(sent, now - startedAt);
      limits.push(limit.value);
    }
    underWay = underWay.filter(({ endsAt }) => endsAt > now);
  }
  return limits;
}

/** The same numbers in each run, in [0, 1). */
function numbers(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Durations around a median that differ by a factor of up to `spread` either way. */
function durations(median: number, spread: number): () => number {
  const random = numbers();
  return () => median * spread ** (2 * random() - 1);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const later = ({ limits }: Seen): number => mean(limits.slice(limits.length / 2));

describe("the limit of an agent that", () => {
  test.each([
    ["works on one request after the other", inLine],
    ["shares its time between all requests", sharing(1)],
  ])("%s falls to one, soon", (_, agent) => {
    const seen = saturate({ agent, ms: durations(100, 1.2), requests: 500 });
    expect(later(seen)).toBeLessThan(2);
    expect(mean(seen.limits.slice(50, 150))).toBeLessThan(3);
    expect(Math.max(...seen.limits)).toBeLessThan(10);
  });

  test("works on many at once rises to about as many", () => {
    const seen = saturate({ agent: sharing(16), ms: durations(100, 3), requests: 4_000 });
    expect(later(seen)).toBeGreaterThan(8);
    expect(later(seen)).toBeLessThan(48);
    const atBest = saturate({ agent: sharing(16), ms: durations(100, 3), requests: 4_000, limit: fixed(16) });
    expect(seen.tookMs).toBeLessThan(atBest.tookMs * 1.6);
  });

  test.each([1.1, 10])(
    "is not slowed by others rises to the maximum, with durations that differ by %d",
    (spread) => {
      const limit = new ConcurrencyLimit(100);
      const seen = saturate({ agent: unbounded, ms: durations(5_000, spread), requests: 5_000, limit });
      expect(later(seen)).toBeGreaterThan(60);
    },
  );

  test.each([
    ["milliseconds", 5, 2_000],
    ["a second", 300, 20_000],
  ])(
    "is not slowed by others keeps its limit when long tasks come all at once among those of %s",
    (_, short, long) => {
      const limit = new ConcurrencyLimit(64, 64);
      // The number under way is large just when the latencies are: a crowd, for whoever takes the one for the cause of the other.
      const random = numbers();
      const tasks: Task[] = [];
      for (let at = 0; at < 40 * long; at += short * 4 * random()) tasks.push({ at, ms: short });
      for (let at = 0; at < 40 * long; at += 2.5 * long)
        for (let i = 0; i < 60; i++) tasks.push({ at, ms: long * (0.9 + 0.2 * random()) });
      const limits = arrive(tasks, limit);
      expect(Math.min(...limits)).toBeGreaterThanOrEqual(16);
    },
  );

  test("answers within milliseconds is not held back, though its requests wait for each other", () => {
    expect(later(saturate({ agent: inLine, ms: () => 0.5, requests: 2_000 }))).toBeGreaterThan(16);
  });

  test("was busy and is slow now falls again", () => {
    const limit = new ConcurrencyLimit(64);
    saturate({ agent: unbounded, ms: durations(200, 1.2), requests: 1_000, limit });
    expect(limit.value).toBeGreaterThan(30);
    expect(later(saturate({ agent: inLine, ms: durations(200, 1.2), requests: 1_000, limit }))).toBeLessThan(
      4,
    );
  });

  test("was slow and is not any more soon rises again", () => {
    const limit = new ConcurrencyLimit(64);
    saturate({ agent: inLine, ms: durations(200, 1.2), requests: 300, limit });
    expect(limit.value).toBeLessThan(4);
    const seen = saturate({ agent: unbounded, ms: durations(30, 1.2), requests: 200, limit });
    expect(later(seen)).toBeGreaterThan(16);
  });
});

test("gateways that share an agent leave it with little more than it works on at once", () => {
  const underWay: number[] = [];
  const load = { agent: sharing(24), ms: durations(50, 1.5), requests: 12_000 };
  const limits = Array.from({ length: 3 }, () => new ConcurrencyLimit(1_000));
  const tookMs = share({ ...load, limits }, (count) => underWay.push(count));
  expect(mean(underWay)).toBeLessThan(48);
  expect(Math.max(...underWay)).toBeLessThan(120);
  const atBest = share({ ...load, limits: [8, 8, 8].map(fixed) }, () => undefined);
  expect(tookMs).toBeLessThan(atBest * 1.6);
});

describe("a limit", () => {
  test("stays where nothing waits for it", () => {
    const limit = new ConcurrencyLimit(50);
    for (let i = 0; i < 500; i++) limit.answered({ limit: 4, round: limit.round }, 100);
    expect(limit.value).toBe(4);
  });

  test("falls by half when the agent is overloaded, once a round, but not below one", () => {
    const limit = new ConcurrencyLimit(32, 32);
    const { round } = limit;
    for (let i = 0; i < 10; i++) limit.overloaded(round);
    expect(limit.value).toBe(16);
    for (let i = 0; i < 10; i++) limit.overloaded(limit.round);
    expect(limit.value).toBe(1);
  });
});

/** A limit that learns nothing. */
function fixed(value: number): ConcurrencyLimit {
  const limit = new ConcurrencyLimit(value, value);
  limit.answered = () => undefined;
  return limit;
}
