import { expect, test } from "@jest/globals";
import { offlineUnderstanding } from "../src/understanding.ts";
import { SHIPPED_MESH } from "./support/shipped-mesh.ts";

/** What the shipped manifest and its models make of a message that follows a proposal under a limit. */
function after(message: string) {
  const conversation = offlineUnderstanding("pricing", { MESH_FILE: SHIPPED_MESH })();
  conversation.say("Propose prices with at most 6 % change");
  return conversation.say(message);
}

test.each([
  [
    "for revenue instead, then publish",
    ["optimizer", "publish"],
    { max_change_pct: 0.06, objective: "revenue" },
  ],
])("%s: what was done is done again, and what it asks for besides", (message, goals, slots) => {
  expect(after(message)).toMatchObject({ route: "plan", goals, slots });
});

test.each([
  ["for EMEA, how robust is it?", "sensitivity", { max_change_pct: 0.06, region: "EMEA" }],
  [
    "why is the valve so expensive with at most 2 %?",
    "explainer",
    { max_change_pct: 0.02, items: ["VALVE-V7"] },
  ],
])("%s: only what it asks for", (message, route, slots) => {
  expect(after(message)).toMatchObject({ route, goals: [route], slots });
});

test("thanks ask for nothing", () => {
  expect(after("now at most 2 %, thanks a lot")).toMatchObject({
    goals: ["optimizer"],
    slots: { max_change_pct: 0.02 },
  });
});
