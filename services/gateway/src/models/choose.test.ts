import { describe, expect, test } from "@jest/globals";
import type { ModelPolicy } from "../mesh/index.ts";
import { chooseModel } from "./choose.ts";

const policy: ModelPolicy = {
  default: "small",
  allow: ["small", "large", "trial", "forced"],
  tasks: { optimizer: "large" },
  experiments: [],
};

const ask = { task: "optimizer", session: "s1", hint: "trial" };
const half = { name: "half", model: "large", share: 0.5 };
const all = { name: "all", model: "small", share: 1 };

describe("a model is chosen by", () => {
  test("the administrator's override, before all else", () => {
    const forced = { ...policy, override: "forced", experiments: [all] };
    expect(chooseModel(forced, ask)).toEqual({ hint: "trial", chosen: "forced", reason: "override" });
  });

  test("the session's experiment, before the hint", () => {
    expect(chooseModel({ ...policy, experiments: [all] }, ask)).toEqual({
      hint: "trial",
      chosen: "small",
      reason: "experiment",
    });
  });

  test("the hint, before the task's default", () => {
    expect(chooseModel(policy, ask)).toEqual({ hint: "trial", chosen: "trial", reason: "hint" });
  });

  test("the task's default, before the default", () => {
    expect(chooseModel(policy, { task: "optimizer", session: "s1" })).toEqual({
      hint: null,
      chosen: "large",
      reason: "task_default",
    });
  });

  test("the default", () => {
    expect(chooseModel(policy, { task: "policy", session: "s1" })).toMatchObject({
      chosen: "small",
      reason: "default",
    });
  });
});

test("a hint outside the allowlist is passed over and not repeated", () => {
  expect(chooseModel(policy, { ...ask, hint: "evil" })).toEqual({
    hint: null,
    chosen: "large",
    reason: "task_default",
  });
});

test("no inherited name is a task", () => {
  for (const task of ["constructor", "__proto__", "toString"]) {
    expect(chooseModel(policy, { task, session: "s1" })).toMatchObject({
      chosen: "small",
      reason: "default",
    });
  }
});

test("an experiment takes its share of the sessions, and a session stays where it is", () => {
  const experiment = { ...policy, experiments: [half] };
  const choices = Array.from({ length: 2_000 }, (_, index) => {
    const request = { task: "policy", session: `session-${index}` };
    expect(chooseModel(experiment, request)).toEqual(chooseModel(experiment, request));
    return chooseModel(experiment, request).reason;
  });
  const share = choices.filter((reason) => reason === "experiment").length / choices.length;
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.55);
});

test("experiments share out sessions independently of each other", () => {
  const two = { ...policy, experiments: [half, { name: "other", model: "trial", share: 0.5 }] };
  const models = Array.from({ length: 400 }, (_, index) =>
    chooseModel(two, { task: "policy", session: `session-${index}` }),
  ).map(({ chosen }) => chosen);
  expect(new Set(models)).toEqual(new Set(["large", "trial", "small"]));
});
