import { expect } from "@jest/globals";
import { offlineUnderstanding } from "../../src/understanding.ts";
import { SHIPPED_MESH } from "./shipped-mesh.ts";

/** A catalogue of garden tools. */
const item = (item_id: string, name: string, segment: string, region: string, tiers: readonly string[]) => ({
  item_id,
  name,
  segment,
  region,
  tiers: Object.fromEntries(tiers.map((tier) => [tier, { current_price: 300, unit_cost: 180 }])),
});
export const ITEMS = [
  item("MOW-21", "Rotary mower", "standard", "EMEA", ["new", "exchange", "repair"]),
  item("MOW-30R", "Robotic mower", "premium", "NA", ["new", "exchange", "repair"]),
  item("SAW-7", "Pole saw", "budget", "EMEA", ["new", "repair"]),
  item("SAW-9C", "Chain saw", "premium", "APAC", ["new", "exchange", "repair"]),
  item("TRIM-4", "Hedge trimmer", "standard", "NA", ["new", "exchange", "repair", "usm"]),
  item("BLOW-X2", "Leaf blower", "budget", "APAC", ["new", "repair"]),
  item("TILL-5", "Soil tiller", "standard", "LATAM", ["new", "exchange", "repair"]),
];

/** Begins a conversation with what the shipped manifest and its models understand. */
export const begin = offlineUnderstanding("pricing", { MESH_FILE: SHIPPED_MESH });

type Slots = Readonly<Record<string, unknown>>;
/** What is said, the route that follows, all constraints in force then, and what else is evident. */
export type Said = readonly [message: string, route: string, slots: Slots, more?: Slots];

/** Holds a conversation with what the shipped manifest and its models understand, and expects what they make of each message. */
export function converse(turns: readonly Said[]): void {
  const conversation = begin({ items: ITEMS });
  for (const [message, route, slots, more] of turns) {
    const { choices: _, signs: __, constraints: ___, ...heard } = conversation.say(message);
    expect([message, heard]).toEqual([message, expect.objectContaining({ route, slots, ...more })]);
  }
}
