import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { offlineUnderstanding } from "../understanding.ts";
import { wording } from "./wording.ts";

const MESH_FILE = new URL("../../../../mesh.yaml", import.meta.url).pathname;

test.each([
  ["en", "Remove the maximum change"],
  ["ko", "최대 변동폭 조건 없애 줘"],
])("what a page takes back in its own words is gone, and all else stays (%s)", (_, words) => {
  const talk = offlineUnderstanding("pricing", { ...process.env, MESH_FILE })();
  talk.say("Propose prices for the valve, at most 5 % change");
  const { slots, goals } = talk.say(words);
  expect([slots, goals]).toEqual([{ items: ["VALVE-V7"] }, ["optimizer"]]);
});

test("the console says it in those words", () => {
  const texts = readFileSync(new URL("../console/assets/texts.js", import.meta.url), "utf8");
  const said = [...texts.matchAll(/"talks\.drop": "([^"]+)"/g)].map(([, text]) => text);
  expect(said).toEqual((["en", "ko"] as const).map((language) => wording(language).takeBack("{label}")));
});
