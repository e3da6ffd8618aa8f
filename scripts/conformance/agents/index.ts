import { brokenOthers } from "./broken/other.ts";
import { brokenRefusals } from "./broken/refuse.ts";
import { brokenLongRuns, brokenStreams } from "./broken/stream.ts";
import { brokenSync } from "./broken/sync.ts";
import { oddFramings } from "./good/framing.ts";
import { oddShapes } from "./good/shape.ts";
import { floods, hangs } from "./hostile.ts";
import type { BrokenPeer, Peer } from "./peer.ts";

export { floods, hangs } from "./hostile.ts";
export type { BrokenPeer, Peer } from "./peer.ts";

/** Each breaks exactly one rule, with one small defect. */
export const brokenPeers: readonly BrokenPeer[] = [
  ...brokenSync,
  ...brokenStreams,
  ...brokenLongRuns,
  ...brokenRefusals,
  ...brokenOthers,
  ...hangs,
  ...floods,
];

/** Each is unusual in one way, and keeps every rule. */
export const goodPeers: readonly Peer[] = [...oddShapes, ...oddFramings];
