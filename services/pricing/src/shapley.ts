import { at } from "./at.ts";

/** The most players: exact values need 2^n evaluations. */
export const MOST_PLAYERS = 12;

/**
 * Exact Shapley values of a cooperative game: each player's mean marginal contribution over all orders of
 * arrival, φ_i = Σ_{S ∌ i} |S|!·(n−|S|−1)!/n! · (v(S ∪ {i}) − v(S)), over all 2^n coalitions (Shapley 1953).
 *
 * They are the only values that satisfy four axioms: they sum to v(all) − v(∅) (efficiency), equal players
 * get equal values (symmetry), a player that changes nothing gets 0 (dummy), and they are linear in v
 * (linearity).
 *
 * @param value v of a coalition in any unit; called once per coalition. Bit i of the mask is set if player i
 *   is in.
 * @param players n, 0 to 12
 * @throws RangeError for another number of players
 */
export function shapley(value: (coalition: number) => number, players: number): number[] {
  return shapleyVector((coalition) => [value(coalition)], players).map((shares) => at(shares, 0));
}

/** Shapley values of several games on the same coalitions at once: result[player][game]. */
export function shapleyVector(values: (coalition: number) => readonly number[], players: number): number[][] {
  if (!Number.isInteger(players) || players < 0 || players > MOST_PLAYERS) {
    throw new RangeError(`Shapley values are exact for 0 to ${MOST_PLAYERS} players.`);
  }
  const worth: (readonly number[])[] = [];
  for (let coalition = 0; coalition < 2 ** players; coalition++) worth.push(values(coalition));
  const games = at(worth, 0).length;
  const weights = orderWeights(players);
  return Array.from({ length: players }, (_, player) => {
    const shares: number[] = new Array(games).fill(0);
    for (let without = 0; without < worth.length; without++) {
      if (without & (1 << player)) continue;
      const weight = at(weights, size(without));
      const before = at(worth, without);
      const after = at(worth, without | (1 << player));
      for (let game = 0; game < games; game++) {
        shares[game] = at(shares, game) + weight * (at(after, game) - at(before, game));
      }
    }
    return shares;
  });
}

/** |S|!·(n−|S|−1)!/n! = 1 / (n·C(n−1, |S|)) for |S| = 0 … n−1. */
function orderWeights(players: number): number[] {
  const weights: number[] = [];
  let binomial = 1;
  for (let size = 0; size < players; size++) {
    weights.push(1 / (players * binomial));
    binomial = (binomial * (players - 1 - size)) / (size + 1);
  }
  return weights;
}

function size(coalition: number): number {
  let count = 0;
  for (let rest = coalition; rest !== 0; rest &= rest - 1) count++;
  return count;
}
