import type { RecommendationKind } from "./types.ts";

export const RECOMMENDATION_KINDS: readonly RecommendationKind[] = [
  "commitment",
  "rightsizing",
  "idle",
  "orphaned",
  "storage_tier",
  "data_transfer",
  "untagged",
];
