import { expect, test } from "@jest/globals";
import { explain } from "./explain.ts";
import { nearest } from "./nearest.ts";
import { schemas } from "./schemas.ts";

const agents = { a: { url: "http://a", tasks: { T: "Does it." } } };
const problems = (manifest: object) => explain(schemas.gateway?.mesh ?? {}, manifest);

test("every misspelt field is named at once, with the one that may be meant", () => {
  const service = { agent: "a", task_type: "T", keyword: ["x"] };
  expect(
    problems({ agents: { a: { ...agents.a, limit: {} } }, services: { s: service }, model: {} }),
  ).toEqual([
    "/model: is not a known field; did you mean models?",
    "/agents/a/limit: is not a known field; did you mean limits?",
    "/services/s/keyword: is not a known field; did you mean keywords?",
  ]);
});

test("a field that is missing since it is misspelt is one problem", () => {
  expect(problems({ agents: { a: { url: "http://a", task: { T: "Does it." } } } })).toEqual([
    "/agents/a/task: is not a known field; did you mean tasks?",
  ]);
});

test("where several forms are allowed, it is said which", () => {
  expect(problems({ agents, services: { s: { agent: "a" } } })).toEqual([
    expect.stringMatching(/^\/services\/s: .*a service is a flow, an agent with a task_type/),
  ]);
});

test("a name that is not allowed is at its own place", () => {
  expect(problems({ agents: { "My Agent": agents.a } })).toEqual([
    expect.stringMatching(/^\/agents\/My Agent: must match/),
  ]);
});

test("where nothing is near, it is said what is allowed", () => {
  expect(problems({ agents: { a: { ...agents.a, colour: "red" } } })).toEqual([
    expect.stringMatching(/^\/agents\/a\/colour: is not a known field; allowed here: url, .*tasks/),
  ]);
});

test("nothing is wrong with what is valid", () => expect(problems({ agents })).toEqual([]));

test.each([
  ["keyword", "keywords"],
  ["taks", "tasks"],
  ["timeout", "timeout_ms"],
  ["URL", "url"],
  ["colour", undefined],
])("%s may mean %s", (name, meant) => {
  expect(nearest(name, ["keywords", "tasks", "timeout_ms", "url", "limits"])).toBe(meant);
});
