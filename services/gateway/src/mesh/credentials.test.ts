import { expect, test } from "@jest/globals";
import { credentialProblems } from "./credentials.ts";

test("credentials in a URL are named by their place, and not quoted", () => {
  const manifest = {
    agents: { one: { url: "http://user:marker@host:1" }, two: { url: "https://marker@host" } },
    general: "see redis://:marker@host/0",
  };
  const problems = credentialProblems(manifest);
  expect(problems.map((problem) => problem.split(":")[0])).toEqual([
    "/agents/one/url",
    "/agents/two/url",
    "/general",
  ]);
  expect(problems.join()).not.toContain("marker");
});

test("addresses and expressions are not taken for credentials", () => {
  const harmless = ["http://host:1/a@b", "https://host/?user=a@b", "mail a@b.example", "$a & '://' & 'x@'"];
  expect(credentialProblems({ harmless, count: 3, none: null })).toEqual([]);
});
