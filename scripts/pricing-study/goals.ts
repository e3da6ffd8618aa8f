import { wilsonInterval } from "@interlock/pricing";
import type { Figures } from "./study.ts";

/** Most of the unwarned proposals that may lose, by the kind of the family. */
const MOST_LOSING = { "well-behaved": 0.05, troubled: 0.05, hidden: 0.1 } as const;
const LEAST_COVERAGE = 0.92;
const LEAST_BAND = 0.85;
/** Proposals without a warning, of the well-behaved worlds in which the best prices gain more than 1%. */
const LEAST_SERVED = 0.5;

/**
 * Where hardly any move can win, such as a kink at today's price, a share of the moves says little: there at most this share of all worlds
 * may have a losing move without a warning.
 */
const MOST_LOST_WORLDS = 0.01;

/** Of a run with so many unwarned moves, the upper 95% bound of the share that loses says something by itself. */
const MANY_MOVES = 600;
const MOST_BOUND = { "well-behaved": 0.08, troubled: 0.08, hidden: 0.1 } as const;

/** Where fewer prices move, intervals and bands are of estimates that nothing rests on. */
const LEAST_MOVED = 0.05;

/**
 * Whether a family reaches its goals: unwarned proposals rarely lose, intervals and bands of what prices rest on cover the truth,
 * and where all is well half of the worthwhile moves come without a warning. A share counts as missed only if the data of this
 * run exclude the goal (Wilson's 95% interval, for the others two standard errors), so that a quick run does not fail by chance.
 */
export function verdictOf(figures: Omit<Figures, "method" | "scored">): { met: boolean; text: string } {
  const { family, losing, unwarned, coverage, band, served, moved, worlds } = figures;
  const missed: string[] = [];
  const lost = wilsonInterval(Math.round((losing?.share ?? 0) * unwarned.count), worlds, 0.95);
  if (losing !== undefined && lost.low > MOST_LOST_WORLDS && losing.low > MOST_LOSING[family.kind])
    missed.push("losing");
  else if (losing !== undefined && unwarned.count >= MANY_MOVES && losing.high > MOST_BOUND[family.kind])
    missed.push("bound");
  const below = (share: number | undefined, least: number) =>
    share !== undefined && share < least - 2 * Math.sqrt((least * (1 - least)) / worlds);
  if (moved >= LEAST_MOVED) {
    if (below(coverage, LEAST_COVERAGE)) missed.push("coverage");
    if (below(band, LEAST_BAND)) missed.push("band");
  }
  if (family.kind === "well-behaved" && served !== undefined && served < LEAST_SERVED - 1 / Math.sqrt(worlds))
    missed.push("served");
  if (missed.length === 0) return { met: true, text: "met" };
  return { met: false, text: `**missed: ${missed.join(", ")}**${family.open ? ` (${family.open})` : ""}` };
}
