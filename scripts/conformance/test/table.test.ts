import { beforeAll, describe, expect, test } from "@jest/globals";
import { type BrokenPeer, brokenPeers, goodPeers, type Peer } from "../agents/index.ts";
import { checks } from "../src/checks/index.ts";
import type { Evidence } from "../src/evidence.ts";
import { judge } from "../src/judge.ts";
import { rules } from "../src/rules.ts";
import { broke, brokenRules, observeAsExpected } from "./observing.ts";

/** Every agent is observed once. All tests of this file judge that evidence. */
let seen: ReadonlyMap<Peer, Evidence>;
function evidenceOf(peer: Peer): Evidence {
  const evidence = seen.get(peer);
  if (evidence === undefined) throw new Error(`${peer.name} was not observed`);
  return evidence;
}

beforeAll(async () => {
  const rulesOf = new Map<Peer, string>(brokenPeers.map((peer) => [peer, peer.rule]));
  seen = await observeAsExpected([...brokenPeers, ...goodPeers], (peer, evidence) => {
    const rule = rulesOf.get(peer);
    return brokenRules(judge(evidence)).join() === (rule ?? "");
  });
}, 300_000);

function rows(peers: readonly BrokenPeer[]): [string, string, BrokenPeer][] {
  return peers.map((peer) => [peer.rule, peer.name, peer]);
}

describe("an agent that breaks one rule fails that rule and no other", () => {
  test.each(rows(brokenPeers))("%s: %s", (rule, _name, peer) => {
    expect(broke(judge(evidenceOf(peer)))).toEqual([expect.stringContaining(rule)]);
  });
});

describe("an agent that is odd, but legal, keeps every rule", () => {
  test.each(goodPeers.map((peer): [string, Peer] => [peer.name, peer]))("%s", (_name, peer) => {
    const results = judge(evidenceOf(peer));
    expect(broke(results)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === "not-reached")).toEqual([]);
  });
});

describe("no check can be switched off unnoticed", () => {
  test.each(rules.map(({ id }) => id))("%s: without it, its broken agents pass", (id) => {
    const others = checks.filter(({ rule }) => rule !== id);
    const passing = brokenPeers.filter(({ rule }) => rule === id);
    expect(passing.length).toBeGreaterThan(0);
    for (const peer of passing) expect(broke(judge(evidenceOf(peer), others))).toEqual([]);
  });

  test("nor can one be made to fail always: the good agents would fail it", () => {
    const plain = evidenceOf(goodPeers[0] ?? { name: "none", serve: () => Promise.reject() });
    for (const check of checks) {
      const withDefect = checks.map((each) =>
        each === check ? { ...each, judge: () => ({ verdict: "fail", reason: "always" }) as const } : each,
      );
      expect(brokenRules(judge(plain, withDefect))).toEqual([check.rule]);
    }
  });
});

describe("the agents are enough", () => {
  test("at least one broken agent for every MUST and every SHOULD", () => {
    const covered = new Set(brokenPeers.map(({ rule }) => rule));
    expect(rules.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });

  test("at least twenty that are odd and legal, each of a kind", () => {
    expect(new Set(goodPeers.map(({ name }) => name)).size).toBe(goodPeers.length);
    expect(goodPeers.length).toBeGreaterThanOrEqual(20);
  });

  test("and this is the table of them", () => {
    process.stdout.write(`${table()}\n`);
  });
});

/** Broken agents by rule, for the test's output. */
function table(): string {
  const lines = rules.map(({ id, level, title }) => {
    const names = brokenPeers.filter(({ rule }) => rule === id).map(({ name }) => name);
    const caught = brokenPeers.filter(
      (peer) => peer.rule === id && brokenRules(judge(evidenceOf(peer))).includes(id),
    );
    return `${id.padEnd(16)}${level.padEnd(8)}${`${caught.length}/${names.length}`.padEnd(7)}${title}: ${names.join("; ")}`;
  });
  const must = rules.filter(({ level }) => level === "MUST").length;
  const total = `${rules.length} rules (${must} MUST, ${rules.length - must} SHOULD), ${brokenPeers.length} broken agents, ${goodPeers.length} odd but legal ones`;
  return [`${"rule".padEnd(16)}${"level".padEnd(8)}${"caught".padEnd(7)}broken agents`, ...lines, total].join(
    "\n",
  );
}
