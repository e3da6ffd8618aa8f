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

test("a key of a provider is named by its place, and not quoted", () => {
  const providers = {
    one: { kind: "openai", key_env: "sk-proj-marker0123456789abcdef" },
    two: { kind: "google", base_url: "https://host/?key=AIzamarker0123456789abcdef0123456789abc" },
    three: { kind: "vertex", key_env: "-----BEGIN PRIVATE KEY-----\nmarker" },
    four: { kind: "openai", key_env: "OPENAI_API_KEY" },
  };
  const problems = credentialProblems({ models: { providers } });
  expect(problems.map((problem) => problem.split(":")[0])).toEqual([
    "/models/providers/one/key_env",
    "/models/providers/two/base_url",
    "/models/providers/three/key_env",
  ]);
  expect(problems.join()).not.toContain("marker");
});

test("addresses and templates are not taken for credentials", () => {
  const harmless = ["http://host:1/a@b", "https://host/?user=a@b", "mail a@b.example", "$a & '://' & 'x@'"];
  expect(credentialProblems({ harmless, count: 3, none: null })).toEqual([]);
});
