import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { unreadIn } from "../src/conversation/gate/unread.ts";
import { keywordPattern } from "../src/conversation/router.ts";
import { indexEntities, loadReader, readSlots } from "../src/language/index.ts";
import { loadMesh } from "../src/mesh/index.ts";
import { SHIPPED_MESH } from "./support/shipped-mesh.ts";

const mesh = loadMesh(SHIPPED_MESH, {});
const reader = mesh.flows.get("pricing")?.slots;
if (!reader) throw new Error("the flow has no slots");
const sample = new URL("../../pricing/data/sample-catalogue.json", import.meta.url);
const index = indexEntities(reader.slots, JSON.parse(readFileSync(sample, "utf8")));
const domain = keywordPattern(reader.slots.flatMap(({ nouns }) => nouns));

const { tagger } = loadReader();

/** What of an order to publish over the sample nothing has read. */
const unread = (message: string): readonly string[] => {
  const { reading } = readSlots(message, { slots: reader, index, tagger });
  const orders = mesh.services.get("publish")?.orders ?? {};
  return [...reading.unsupported, ...unreadIn(reading, orders, (word) => domain.test(word))];
};

test.each([
  ["publish the flange only", "flange"],
  ["publish only the flange", "flange"],
  ["publish the valve and the flange", "flange"],
  ["publish it except the flange", "flange"],
  ["Propose prices for the flange and publish them", "flange"],
  ["please publish the Nordic ones", "nordic"],
  ["플랜지만 게시해 줘", "지만"],
  ["플랜지를 게시해 줘", "플랜지"],
  ["플랜지 가격을 제안하고 게시해 줘", "플랜지"],
  ["플랜지 빼고 게시해 줘", "플랜지"],
])("what %j is about is not read whole", (message, left) => {
  expect(unread(message).join(" ")).toContain(left);
});

test.each([
  "publish it",
  "publish the valve only",
  "could you roll these out?",
  "Propose prices and publish them",
  "publish the prices of VALVE-V7 and MOTOR-M2 please",
  "Maximise revenue for EMEA with at most 5 % change and publish it",
  "publish it, the boss agreed",
  "Publish it to the price book, then explain the drivers.",
  "게시해 줘",
  "VALVE-V7만 게시해 줘",
  "가격을 제안하고 게시해 줘",
  "검토 끝났으니까 게시해 주세요",
])("%j is read whole", (message) => {
  expect(unread(message)).toEqual([]);
});
