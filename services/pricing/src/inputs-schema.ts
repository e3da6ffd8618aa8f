import { constraintsSchema } from "./constraints/schema.ts";
import { DEFAULT_MAX_ITEMS } from "./explanation.ts";
import { itemsSchema, labelSchema, proposedSchema, settingsProperties, tierNameSchema } from "./schemas.ts";
import { uncertaintySchema } from "./uncertainty-schema.ts";

/**
 * The input fields of all pricing tasks. Each task takes all of them and uses what it needs, so that a flow can pass a request on as it
 * is; a field that is none of these is refused by every task.
 */
export const inputsProperties = {
  items: itemsSchema,
  ...settingsProperties,
  segment: { ...labelSchema, description: "Segment of items that have none" },
  region: { ...labelSchema, description: "Region of items that have none" },
  constraints: constraintsSchema,
  proposed: {
    ...proposedSchema,
    description: "Prices to look at. Of items that the constraints leave out, none are looked at",
  },
  anchor: {
    description: "Tiers whose prices fixes keep if possible",
    anyOf: [tierNameSchema, { type: "array", maxItems: 16, items: tierNameSchema }],
  },
  weights: {
    type: "object",
    maxProperties: 16,
    propertyNames: tierNameSchema,
    additionalProperties: { type: "number", minimum: 1e-3, maximum: 1e3 },
    description: "Weight of a relative change of each tier when a fix is chosen; default 1",
  },
  max_items: {
    type: "integer",
    minimum: 1,
    maximum: 2000,
    default: DEFAULT_MAX_ITEMS,
    description: "Largest number of items to explain: those whose objective moves most",
  },
  uncertainty: uncertaintySchema,
} as const;
