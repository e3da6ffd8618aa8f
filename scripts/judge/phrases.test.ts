import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import {
  indexEntities,
  loadReader,
  readSlots,
  type Slots,
} from "../../services/gateway/src/language/index.ts";
import { constraintsOf, loadMesh } from "../../services/gateway/src/mesh/index.ts";
import { readDomain } from "./domain.ts";
import { Meaning } from "./meaning.ts";
import { names } from "./named.ts";
import { catalogueOf, readSet } from "./set.ts";

const file = join(import.meta.dirname, "sets/phrases-pricing.jsonl");
const domain = readDomain("pricing");
const flow = loadMesh(domain.meshFile, {}).flows.get(domain.flow);
const slots = flow?.slots;
if (!flow || !slots) throw new Error("The flow pricing has no slots.");
const { tagger } = loadReader();
const sample = indexEntities(slots.slots, domain.catalogue);
const read = (text: string, before: Slots = {}, index = sample) =>
  readSlots(text, { slots, index, tagger, before });

/** Of 100 phrases that were read by rules once, how many are read right, and of what cannot be applied, how much is named. */
const [LEAST_RIGHT, LEAST_NAMED] = [90, 60];

test("phrases that were read by rules once are still read", () => {
  const catalogues = new Map<string, readonly [ReturnType<typeof indexEntities>, Meaning]>();
  let [all, right, toName, named] = [0, 0, 0, 0];
  for (const conversation of readSet(file)) {
    const key = conversation.catalogue ?? dirname(file);
    const given = catalogueOf(conversation, file) ?? domain.catalogue;
    const known = catalogues.get(key) ?? [indexEntities(slots.slots, given), new Meaning(domain, given)];
    catalogues.set(key, known);
    const [index, meaning] = known;
    const [turn] = conversation.turns;
    if (!turn?.wants || conversation.turns.length > 1) continue;
    const { reading } = read(turn.says, {}, index);
    const { missing, other, extra } = meaning.compare(
      turn.wants.constraints ?? [],
      constraintsOf(flow, reading.slots),
    );
    all += 1;
    right += missing.length + other.length + extra.length === 0 ? 1 : 0;
    for (const phrase of turn.wants.named ?? []) {
      toName += 1;
      named += reading.unsupported.some((text) => names(text, phrase)) ? 1 : 0;
    }
  }
  expect(all).toBeGreaterThan(1_000);
  expect((100 * right) / all).toBeGreaterThan(LEAST_RIGHT);
  expect((100 * named) / toName).toBeGreaterThan(LEAST_NAMED);
});

test("a figure that nothing reads is named", () => {
  expect(read("Propose prices, ticket 4711").reading.unsupported.join(" ")).toContain("4711");
});

test("a message that is too long for the learnt reader has its names read, and its amounts named", () => {
  const { learnt, reading } = read(
    `Propose prices for VALVE-V7 with at most 5 % change. ${"Thanks a lot. ".repeat(90)}`,
  );
  expect(learnt).toBeUndefined();
  expect(reading.slots).toEqual({ items: ["VALVE-V7"] });
  expect(reading.unsupported.join(" ")).toContain("5 %");
});
