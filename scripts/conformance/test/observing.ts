import { TASK } from "../agents/agent.ts";
import { floods, type Peer } from "../agents/index.ts";
import type { Bounds } from "../src/bounds.ts";
import type { Evidence } from "../src/evidence.ts";
import type { Result } from "../src/judge.ts";
import { observe } from "../src/observe.ts";

/** Shortened limits, so that testing many agents takes seconds. */
export const SHORT: Bounds = {
  totalMs: 40_000,
  connectMs: 3_000,
  quickMs: 3_000,
  runMs: 6_000,
  keepaliveMs: 1_500,
  closeMs: 1_200,
  leaveMs: 600,
  graceMs: 600,
  busyMs: 5,
  smallBytes: 1024 * 1024,
  syncBytes: 4 * 1024 * 1024,
  streamBytes: 16 * 1024 * 1024,
};

/** For a second look, on a machine that may be too busy for the short limits. */
const PATIENT: Bounds = { ...SHORT, totalMs: 120_000, runMs: 30_000 };

export async function observePeer(peer: Peer, bounds: Bounds = SHORT): Promise<Evidence> {
  const served = await peer.serve();
  try {
    return await observe({ url: served.url, taskType: TASK }, { bounds });
  } finally {
    await served.close();
  }
}

/**
 * Observes peers, then observes those with unexpected results once more, one at a time and with more time: on a busy machine a
 * peer that depends on timing may be late. A real defect of a check or a peer shows again.
 */
export async function observeAsExpected(
  peers: readonly Peer[],
  expected: (peer: Peer, evidence: Evidence) => boolean,
): Promise<ReadonlyMap<Peer, Evidence>> {
  const seen = new Map(await observeAll(peers));
  for (const [peer, evidence] of seen) {
    if (!expected(peer, evidence)) seen.set(peer, await observePeer(peer, PATIENT));
  }
  return seen;
}

type Observed = Map<Peer, Evidence>;

/**
 * Observes peers concurrently, because most of the time is spent waiting. Floods use the processor, so only a few run
 * at a time.
 */
export async function observeAll(peers: readonly Peer[]): Promise<ReadonlyMap<Peer, Evidence>> {
  const seen: Observed = new Map();
  const isFlood = (peer: Peer): boolean => floods.some(({ name }) => name === peer.name);
  await observeInto(seen, peers.filter(isFlood), 2);
  await observeInto(
    seen,
    peers.filter((peer) => !isFlood(peer)),
    16,
  );
  return seen;
}

async function observeInto(seen: Observed, peers: readonly Peer[], atOnce: number): Promise<void> {
  const left = [...peers];
  const worker = async (): Promise<void> => {
    for (let peer = left.shift(); peer !== undefined; peer = left.shift()) {
      seen.set(peer, await observePeer(peer));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The rules that a peer breaks, as "AC1-…: reason". */
export function broke(results: readonly Result[]): string[] {
  return results.flatMap((result) =>
    result.verdict === "fail" || result.verdict === "needs-inputs"
      ? [`${result.rule.id}: ${result.reason}`]
      : [],
  );
}

export function brokenRules(results: readonly Result[]): string[] {
  return results
    .filter(({ verdict }) => verdict === "fail" || verdict === "needs-inputs")
    .map(({ rule }) => rule.id);
}
