import type { Pool } from "./pool.ts";
import type { Recommendation } from "./types.ts";

/**
 * Names the others that a recommendation saves less with: about the same resource; a commitment and what lowers the
 * usage of its pool; and, where a commitment goes on already, everything that lowers the usage of that pool.
 */
export function withOverlaps(all: readonly Recommendation[], pools: readonly Pool[]): Recommendation[] {
  const overlaps = new Map(all.map(({ id }) => [id, new Set<string>()]));
  const meet = (some: readonly string[], others: readonly string[]) => {
    for (const id of some) for (const other of others) if (id !== other) overlaps.get(id)?.add(other);
  };
  const byTarget = new Map<string, string[]>();
  const commitments = new Map<string, string>();
  for (const { id, kind, action } of all) {
    if (kind === "commitment") commitments.set(action.target, id);
    else if (kind !== "untagged") byTarget.set(action.target, [...(byTarget.get(action.target) ?? []), id]);
  }
  for (const ids of byTarget.values()) meet(ids, ids);
  for (const { pool, usage } of pools) {
    const members = new Set(usage.flatMap(({ resource_id }) => resource_id ?? []));
    const reductions = [...members].flatMap((resource) => byTarget.get(resource) ?? []);
    const commitment = [commitments.get(pool.name) ?? []].flat();
    meet(reductions, commitment);
    meet(commitment, reductions);
    if (pool.existing) meet(reductions, reductions);
  }
  return all.map((one) => ({ ...one, overlaps: [...(overlaps.get(one.id) ?? [])] }));
}
