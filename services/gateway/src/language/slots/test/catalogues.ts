import { describe, expect, test } from "@jest/globals";
import { loadMesh } from "../../../mesh/index.ts";
import { indexEntities, readSlots, type SlotReader, type SlotReading, type Slots } from "../../index.ts";

const mesh = loadMesh(new URL("../../../../../../mesh.yaml", import.meta.url).pathname, {});
const reader = readerOf("pricing");

function readerOf(name: string): SlotReader {
  const found = mesh.flows.get(name)?.slots;
  if (!found) throw new Error(`The flow ${name} has no slots.`);
  return found;
}

const TIERS = Object.fromEntries(["new", "exchange", "repair", "usm"].map((tier) => [tier, {}]));

/** Names by ids; every item has one of the regions and segments in turn. */
function catalogue(
  names: Readonly<Record<string, string>>,
  regions: readonly string[],
  segments: readonly string[],
) {
  const items = Object.entries(names).map(([item_id, name], i) => ({
    item_id,
    name,
    region: regions[i % regions.length],
    segment: segments[i % segments.length],
    tiers: TIERS,
  }));
  const ids = items.map(({ item_id }) => item_id);
  const index = indexEntities(reader.slots, { items });
  return {
    read: (text: string): SlotReading => readSlots(text, reader, index),
    without: (...excluded: string[]) => ({ items: ids.filter((id) => !excluded.includes(id)) }),
  };
}

export const GARDEN = catalogue(
  {
    "MOW-40": "Cordless mower",
    "MOW-55": "Petrol mower",
    "HEDGE-7": "Hedge trimmer",
    "TRIM-3": "Grass trimmer",
    "SAW-E1": "Electric chainsaw",
    "SAW-P2": "Petrol chainsaw",
    "BLOW-9": "Leaf blower",
    "SHRED-X": "Branch shredder",
    "HOSE-25": "Soaker hose",
    "PUMP-R1": "Rain barrel pump",
  },
  ["EMEA", "NA", "APAC", "LATAM"],
  ["professional", "hobby"],
);
export const HOME = catalogue(
  {
    "SOFA-3": "Corner sofa",
    "SOFA-2": "Leather sofa",
    "DESK-10": "Standing desk",
    "DESK-12": "Writing desk",
    "CHR-77": "Office chair",
    "CHR-79": "Leather chair",
    "LVR-1": "Lever lamp",
    "TBL-R1": "Round coffee table",
    "TBL-S1": "Square coffee table",
    GX84: "Gas heater",
    GX95: "Oil heater",
  },
  ["EMEA", "NA", "LATAM"],
  ["premium", "standard", "budget"],
);
export const BOATS = catalogue(
  {
    "ANC-10": "Plough anchor",
    "BAT-12": "Marine battery",
    "BAT-24": "Lithium battery",
    "WIN-5": "Electric winch",
    "WIN-7": "Manual winch",
    "KNF-1": "Rigging knife",
    "KNF-2": "Dive knife",
    "RUD-1": "Rudder blade",
    VST9: "Life vest",
  },
  ["EMEA", "NA", "APAC", "LATAM"],
  ["premium", "standard", "budget"],
);
export const KITCHEN = catalogue(
  {
    "OVN-10": "Deck oven",
    "OVN-20": "Convection oven",
    "MIX-5": "Spiral mixer",
    "FRY-3": "Deep fryer",
    "GRL-8": "Contact grill",
    "ICE-4": "Ice maker",
    "TAP-2": "Bar tap",
    88213: "Dough sheeter",
  },
  ["EMEA", "NA", "APAC"],
  ["caterer", "bakery", "hotel"],
);
/** Its segments are declared as other words for those that the manifest knows, or for what nothing supports. */
export const SHOP = catalogue(
  {
    "LMP-3": "Desk lamp",
    "LMP-5": "Floor lamp",
    "BIKE-7": "Cargo bike",
    "BIKE-9": "Folding bike",
    "SOLV-2": "Drum solvent",
  },
  ["Benelux", "Nordics", "Iberia"],
  ["luxury", "economy", "dealer"],
);
export const items = (...ids: string[]): Slots => ({ items: ids });

/** A message, and the slots that it holds. */
export type Case = readonly [text: string, slots: Slots];

/** Tests that messages over a catalogue hold these slots, with nothing asked about or named. */
export function expectHeard(
  { read }: { read: (text: string) => SlotReading },
  said: Readonly<Record<string, readonly Case[]>>,
): void {
  describe.each(Object.entries(said))("%s", (_, cases) => {
    test.each(cases)("%s", (text, expected) => {
      const { slots: found, unsupported, asks } = read(text);
      expect({ slots: found, unsupported, asks }).toEqual({ slots: expected, unsupported: [], asks: [] });
    });
  });
}
