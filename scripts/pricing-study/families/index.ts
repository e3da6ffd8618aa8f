import { CATALOGUE } from "./catalogue.ts";
import { DIRTY } from "./dirty.ts";
import type { Family } from "./market.ts";
import { SHAPES } from "./shapes.ts";
import { SHIFTS } from "./shifts.ts";
import { TIERED } from "./tiers.ts";
import { TIME_FORMS } from "./time-forms.ts";
import { WELL_BEHAVED } from "./well-behaved.ts";

export type { Family, World } from "./market.ts";

/** All families of the study. */
export const FAMILIES: readonly Family[] = [
  ...WELL_BEHAVED,
  ...CATALOGUE,
  ...TIME_FORMS,
  ...DIRTY,
  ...SHIFTS,
  ...SHAPES,
  ...TIERED,
];
