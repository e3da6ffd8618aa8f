import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { loadMesh } from "../mesh/index.ts";
import { keywordRouter } from "./router.ts";

/** The mesh that ships: what its users say has to go where they mean it to. */
const shipped = loadMesh(fileURLToPath(new URL("../../../../mesh.yaml", import.meta.url)), {});
const route = keywordRouter(shipped);

const said = (message: string, plan = false) => {
  const found = route(message, { plan });
  return found.kind === "plan" ? ["plan", ...found.goals] : [found.intent];
};

describe("a message that asks for one service goes to its agent", () => {
  test.each([
    ["Propose new prices for Q1", "optimizer"],
    ["Please OPTIMISE the catalogue", "optimizer"],
    ["what do you recommend?", "optimizer"],
    ["Are there any policy violations?", "policy"],
    ["Check the gap between new and exchange", "policy"],
    ["Why is the price so high?", "explainer"],
    ["what are the drivers", "explainer"],
    ["How robust is it?", "sensitivity"],
    ["What  if costs rise?", "sensitivity"],
  ])("%s → %s", (message, intent) => expect(said(message)).toEqual([intent]));
});

describe("a composite ask makes a plan of its goals", () => {
  test.each([
    [
      "propose Q1 prices that respect the hierarchy, then explain the drivers",
      ["optimizer", "policy", "explainer"],
    ],
    ["Optimize the prices and tell me how robust they are", ["optimizer", "sensitivity"]],
    ["Check the rules, and explain why", ["policy", "explainer"]],
    ["give me a full review", ["optimizer", "policy", "explainer", "sensitivity"]],
  ])("%s → %j", (message, goals) => expect(said(message)).toEqual(["plan", ...goals]));
});

describe("plan=true", () => {
  test("makes a plan even of a simple ask, of what it asks for", () => {
    expect(said("Propose new prices", true)).toEqual(["plan", "optimizer"]);
  });

  test("makes a plan of all default goals where the message names none", () => {
    expect(said("hello", true)).toEqual(["plan", "optimizer", "policy", "explainer", "sensitivity"]);
  });
});

describe("a keyword", () => {
  test("matches at the start of a word, without regard to case", () => {
    expect(said("EXPLAINED")).toEqual(["explainer"]);
    expect(said("unexplained")).toEqual(["general"]);
    expect(said("überprüfen: check")).toEqual(["policy"]);
    expect(said("ücheck")).toEqual(["general"]);
  });

  test("is nothing but text: what means something to a pattern does not", () => {
    const odd = {
      name: "odd",
      keywords: ["c++ (a|b)"],
      examples: [],
      target: { kind: "agent", agent: "policy", taskType: "T" },
    } as const;
    const router = keywordRouter({ ...shipped, services: new Map([["odd", odd]]) });
    expect(router("say c++  (a|b) now", { plan: false }).intent).toBe("odd");
    expect(router("say c++ a", { plan: false }).intent).toBe("general");
  });
});

test("a message that asks for nothing is general, whatever it is", () => {
  for (const message of ["hello", "", "?", "🙂", "a".repeat(4000)])
    expect(said(message)).toEqual(["general"]);
});
