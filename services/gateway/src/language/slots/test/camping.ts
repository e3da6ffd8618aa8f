import { loadMesh } from "../../../mesh/index.ts";
import { indexEntities, readSlots, type SlotReading, type Slots } from "../../index.ts";

const NAMES = ["Dome tent", "Tunnel tent", "Gas stove", "Down sleeping bag", "Folding mat", "Camp lantern"];
const REGIONS = ["US", "DACH", "UK"];

/** What reads the slots of the shipped pricing flow over a catalogue of camping gear. @param ids of its six items, in the order of their names */
export function campingReader(ids: readonly string[]): (text: string, before?: Slots) => SlotReading {
  const mesh = loadMesh(new URL("../../../../../../mesh.yaml", import.meta.url).pathname, {});
  const reader = mesh.flows.get("pricing")?.slots;
  if (!reader) throw new Error("The flow pricing has no slots.");
  const index = indexEntities(reader.slots, {
    items: ids.map((item_id, i) => ({
      item_id,
      name: NAMES[i],
      region: REGIONS[i % REGIONS.length],
      segment: i % 2 === 0 ? "family" : "trekking",
      tiers: { new: {}, exchange: {}, repair: {} },
    })),
  });
  return (text, before = {}) => readSlots(text, reader, index, before);
}
