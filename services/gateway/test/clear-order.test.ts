import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { isClearOrder } from "../src/conversation/gate/clear-order.ts";
import { loadMesh, type Orders } from "../src/mesh/index.ts";
import { SHIPPED_MESH } from "./support/shipped-mesh.ts";

type Said = { text: string; language: "en" | "ko"; acts: boolean; goal: string };

const FOLDER = fileURLToPath(new URL("orders/", import.meta.url));
const services = loadMesh(SHIPPED_MESH, {}).services;

/** Every file of the folder; another one beside them is another set. */
const sets = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

/**
 * What was wrong at first sight of sets that strangers wrote before any rule was known to them: messages that acted and must not, and orders
 * that were asked about. It may only become less.
 */
const FIRST_SIGHT: Readonly<Record<string, { acted: number; asked: number }>> = {
  "stranger.json": { acted: 1, asked: 29 },
};

describe.each(sets)("of %s", (name) => {
  const { acted, asked } = FIRST_SIGHT[name] ?? { acted: 0, asked: 0 };
  const said: Said[] = JSON.parse(readFileSync(FOLDER + name, "utf8"));
  const wrong = (acts: boolean): string[] =>
    said
      .filter((one) => one.acts === acts)
      .filter(({ text, goal }) => isClearOrder(text, services.get(goal)?.orders ?? {}) !== acts)
      .map(({ text }) => text);

  test("no question, negation, report or quotation is an order", () => {
    const all = wrong(false);
    expect({ all, isWorse: all.length > acted }).toEqual({ all, isWorse: false });
  });

  test("a plain order is one", () => {
    const all = wrong(true);
    expect({ all, isWorse: all.length > asked }).toEqual({ all, isWorse: false });
  });
});

test("without verbs in the manifest, nothing is an order", () => {
  expect(isClearOrder("publish it", {})).toBe(false);
  expect(isClearOrder("게시해 줘", { en: ["publish"] })).toBe(false);
});

test("a flow of any domain has its own verbs", () => {
  const orders: Orders = { en: ["switch off", "switch … off"], ko: ["소등"] };
  expect(isClearOrder("Please switch the hall off", orders)).toBe(true);
  expect(isClearOrder("switch off the lights", orders)).toBe(true);
  expect(isClearOrder("불 좀 소등해 줘", orders)).toBe(true);
  expect(isClearOrder("Did you switch the hall off?", orders)).toBe(false);
  expect(isClearOrder("publish it", orders)).toBe(false);
});

test("a long hostile message takes time in proportion to its length", () => {
  const parts = ["publish ", "please ", "and ", ", ", "put it ", "게시 ", '"', "ok ", "(", "not "];
  const orders = services.get("publish")?.orders ?? {};
  for (const part of parts) {
    const long = part.repeat(200_000);
    const [quarter, whole] = [long.slice(0, long.length / 4), long].map((message) =>
      leastCpu(message, orders),
    );
    expect({ part, isLinear: (whole ?? 0) < 10 * (quarter ?? 0) + OVERHEAD_MS }).toEqual({
      part,
      isLinear: true,
    });
  }
});

/** Of compiling, and of what the clock of the CPU cannot tell. */
const OVERHEAD_MS = 20;

/** CPU of this process for reading a message, in ms: the least of three, as the first calls compile what they execute. */
function leastCpu(message: string, orders: Orders): number {
  const times = [1, 2, 3].map(() => {
    const begun = process.cpuUsage();
    isClearOrder(message, orders);
    return process.cpuUsage(begun).user / 1_000;
  });
  return Math.min(...times);
}
