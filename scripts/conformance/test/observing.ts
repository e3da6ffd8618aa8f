import { TASK } from "../agents/agent.ts";
import type { Peer } from "../agents/index.ts";
import type { Bounds } from "../src/bounds.ts";
import type { Evidence } from "../src/evidence.ts";
import type { Result } from "../src/judge.ts";
import { observe } from "../src/observe.ts";

/** The bounds of the rules, shortened so that a test of many agents takes seconds. */
export const SHORT: Bounds = {
  totalMs: 20_000,
  connectMs: 3_000,
  quickMs: 3_000,
  runMs: 2_400,
  keepaliveMs: 1_200,
  closeMs: 800,
  leaveMs: 600,
  graceMs: 600,
  busyMs: 5,
  smallBytes: 1024 * 1024,
  syncBytes: 4 * 1024 * 1024,
  streamBytes: 16 * 1024 * 1024,
};

export const observePeer = async (peer: Peer, bounds: Bounds = SHORT): Promise<Evidence> => {
  const served = await peer.serve();
  try {
    return await observe({ url: served.url, taskType: TASK }, { bounds });
  } finally {
    await served.close();
  }
};

/** Observes several peers at once, which hardly takes longer than the slowest of them. */
export const observeAll = async <P extends Peer>(
  peers: readonly P[],
  atOnce = 12,
): Promise<ReadonlyMap<P, Evidence>> => {
  const seen = new Map<P, Evidence>();
  const left = [...peers];
  const worker = async (): Promise<void> => {
    for (let peer = left.shift(); peer !== undefined; peer = left.shift())
      seen.set(peer, await observePeer(peer));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return seen;
};

/** What a peer does not keep, as "AC1-…: why". */
export const broke = (results: readonly Result[]): string[] =>
  results.flatMap((result) =>
    result.verdict === "fail" || result.verdict === "needs-inputs"
      ? [`${result.rule.id}: ${result.reason}`]
      : [],
  );

export const brokenRules = (results: readonly Result[]): string[] =>
  results
    .filter(({ verdict }) => verdict === "fail" || verdict === "needs-inputs")
    .map(({ rule }) => rule.id);
