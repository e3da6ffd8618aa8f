import { wilsonInterval } from "@interlock/pricing";
import type { Figures } from "./study.ts";

/** Most of the unwarned proposals that may lose, by the kind of the family. */
const MOST_LOSING = { "well-behaved": 0.05, troubled: 0.05, hidden: 0.1 } as const;
const LEAST_COVERAGE = 0.92;
/** Proposals without a warning, of the well-behaved worlds in which the best prices gain more than 1%. */
const LEAST_SERVED = 0.5;

/**
 * Where hardly any move can win, such as a kink at today's price, a share of the moves says little: there at most this share of all worlds
 * may have a losing move without a warning.
 */
const MOST_LOST_WORLDS = 0.01;

/**
 * Whether a family reaches its goals: unwarned proposals rarely lose, and where all is well intervals cover the truth and half of
 * the worthwhile moves come without a warning. A share counts as missed only if the data of this run exclude the goal
 * (Wilson's 95% interval, for coverage two standard errors), so that a quick run does not fail by chance.
 */
export function verdictOf({ family, losing, unwarned, coverage, served, worlds }: Figures): {
  met: boolean;
  text: string;
} {
  const missed: string[] = [];
  const lost = wilsonInterval(Math.round((losing?.share ?? 0) * unwarned.count), worlds, 0.95);
  if (losing !== undefined && losing.low > MOST_LOSING[family.kind] && lost.low > MOST_LOST_WORLDS)
    missed.push("losing");
  if (family.kind === "well-behaved") {
    const error = 2 * Math.sqrt((LEAST_COVERAGE * (1 - LEAST_COVERAGE)) / worlds);
    if (coverage !== undefined && coverage < LEAST_COVERAGE - error) missed.push("coverage");
    if (served !== undefined && served < LEAST_SERVED - 1 / Math.sqrt(worlds)) missed.push("served");
  }
  if (missed.length === 0) return { met: true, text: "met" };
  return { met: false, text: `missed: ${missed.join(", ")}${family.open ? ` (${family.open})` : ""}` };
}
