import { type ConformanceKnown, type ConformanceReport, conformanceContract } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { CheckedTarget } from "../src/check-targets.ts";
import type { Result } from "../src/judge.ts";
import { junitOf } from "../src/report/junit.ts";
import { reportOf } from "../src/report/report.ts";
import { tableOf } from "../src/report/table.ts";
import { tapOf } from "../src/report/tap.ts";
import { rules } from "../src/rules.ts";
import { fail, needsInputs, notApplicable, notReached, pass, type Verdict } from "../src/verdict.ts";

const URL = "http://127.0.0.1:8081";
const SYNC = "AC1-SYNC-004";
const HEALTH = "AC1-HEALTH-001";

function resultsOf(verdicts: Readonly<Record<string, Verdict>>): Result[] {
  return rules.map((rule) => ({ ...(verdicts[rule.id] ?? pass), rule }));
}

function reportFor(
  verdicts: Readonly<Record<string, Verdict>>,
  { strict = false, baseline = [] }: { strict?: boolean; baseline?: ConformanceKnown[] } = {},
): ConformanceReport {
  const target: CheckedTarget = {
    url: URL,
    taskType: "ECHO",
    inputsFrom: "sample",
    requests: 47,
    durationMs: 12,
    results: resultsOf(verdicts),
    othersListed: [],
  };
  const rest = { version: "1.2.3", startedAt: new Date(0), durationMs: 13 };
  return reportOf([target], { strict, baseline, rules: new Set(rules.map(({ id }) => id)), ...rest });
}

function severities({ targets }: ConformanceReport): Record<string, string> {
  return Object.fromEntries(
    targets.flatMap(({ results }) =>
      results.filter(({ severity }) => severity !== "none").map(({ rule, severity }) => [rule, severity]),
    ),
  );
}

describe("what a result means", () => {
  test.each([
    ["a kept contract passes", {}, {}, true],
    ["a broken MUST is an error", { [SYNC]: fail("x") }, { [SYNC]: "error" }, false],
    [
      "a run that needs inputs is an error",
      { "AC1-RUN-001": needsInputs("x") },
      { "AC1-RUN-001": "error" },
      false,
    ],
    ["a broken SHOULD is a warning", { [HEALTH]: fail("x") }, { [HEALTH]: "warning" }, true],
    ["a MUST that nothing showed is an error, too", { [SYNC]: notReached("x") }, { [SYNC]: "error" }, false],
    [
      "but not where something else is broken",
      { [SYNC]: notReached("x"), "AC1-SYNC-003": fail("x") },
      { "AC1-SYNC-003": "error" },
      false,
    ],
    [
      "what does not apply means nothing",
      { [SYNC]: notApplicable("x"), [HEALTH]: notApplicable("x") },
      {},
      true,
    ],
  ])("%s", (_name, verdicts: Record<string, Verdict>, expected, passed) => {
    const report = reportFor(verdicts);
    expect(severities(report)).toEqual(expected);
    expect(report.passed).toBe(passed);
  });

  test("with strict, a SHOULD counts like a MUST", () => {
    const report = reportFor({ [HEALTH]: fail("x") }, { strict: true });
    expect([severities(report), report.passed]).toEqual([{ [HEALTH]: "error" }, false]);
  });
});

describe("a baseline", () => {
  const known = { rule: SYNC, reason: "soon", task_type: "ECHO" };

  test("takes a known failure out of the errors", () => {
    const report = reportFor({ [SYNC]: fail("x") }, { baseline: [known] });
    expect([severities(report), report.passed, report.totals.known]).toEqual([{ [SYNC]: "known" }, true, 1]);
  });

  test.each([
    ["another task type", { ...known, task_type: "OTHER" }],
    ["another agent", { ...known, url: "http://127.0.0.1:9" }],
    ["another rule", { ...known, rule: HEALTH }],
  ])("does not cover %s, and is stale", (_name, entry) => {
    const report = reportFor({ [SYNC]: fail("x") }, { baseline: [entry] });
    expect([severities(report), report.stale, report.passed]).toEqual([{ [SYNC]: "error" }, [entry], false]);
  });

  test("fails when an entry is stale, though every rule is kept", () => {
    const report = reportFor({}, { baseline: [known] });
    expect([report.stale, report.passed]).toEqual([[known], false]);
  });

  test("is not stale where the rule could not be judged", () => {
    expect(reportFor({ [SYNC]: notApplicable("x") }, { baseline: [known] }).stale).toEqual([]);
  });
});

const nasty = fail(`a "reason" with <tags> & ]]> # and \u0007 control\ncharacters`);
const mixed = reportFor(
  {
    [SYNC]: nasty,
    [HEALTH]: fail("none"),
    "AC1-RUN-004": notApplicable("short"),
    "AC1-CARD-001": fail("none"),
  },
  {
    baseline: [
      { rule: "AC1-CARD-001", reason: "soon" },
      { rule: "AC1-LEAK-001", reason: "old" },
    ],
  },
);

test("the report keeps its schema", () => {
  expect(conformanceContract.report(JSON.parse(JSON.stringify(mixed)))).toMatchObject({ ok: true });
});

describe("JUnit", () => {
  const xml = junitOf(mixed);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    isArray: (name, _path, _leaf, isAttribute) => !isAttribute && /^test(suite|case)$/.test(name),
  });

  test("is well-formed XML, and holds what happened", () => {
    expect(XMLValidator.validate(xml)).toBe(true);
    const { testsuites } = parser.parse(xml);
    const [suite, stale] = testsuites.testsuite;
    expect(suite).toMatchObject({
      name: `${URL} ECHO`,
      tests: "60",
      failures: "1",
      errors: "0",
      skipped: "2",
    });
    expect(stale).toMatchObject({ name: "baseline", tests: "1", failures: "1" });
    const failed = suite.testcase.find((each: object) => "failure" in each);
    expect(failed).toMatchObject({ name: `${SYNC} Sync echoes request_id`, failure: { type: "MUST" } });
    expect(failed.failure.message).toContain('a "reason" with <tags> & ]]> #');
  });

  test("keeps to what common readers take: names of elements and attributes, counts, times", () => {
    const allowed: Record<string, string[]> = {
      testsuites: ["name", "tests", "failures", "errors", "time", "disabled"],
      testsuite: [
        "name",
        "tests",
        "failures",
        "errors",
        "skipped",
        "time",
        "timestamp",
        "hostname",
        "id",
        "package",
        "disabled",
      ],
      testcase: ["name", "classname", "time", "status", "assertions"],
      failure: ["message", "type"],
      skipped: ["message", "type"],
    };
    for (const [, name = "", attributes = ""] of xml.matchAll(/<(\w+)((?: \w+="[^"]*")*)\/?>/g)) {
      expect(Object.keys(allowed)).toContain(name);
      for (const [, attribute = ""] of attributes.matchAll(/ (\w+)="/g))
        expect(allowed[name]).toContain(attribute);
    }
    const { testsuites } = parser.parse(xml);
    const sum = (name: string): number =>
      testsuites.testsuite.reduce(
        (total: number, suite: Record<string, string>) => total + Number(suite[name]),
        0,
      );
    expect([Number(testsuites.tests), Number(testsuites.failures)]).toEqual([sum("tests"), sum("failures")]);
    for (const suite of testsuites.testsuite) {
      expect(suite.testcase.length).toBe(Number(suite.tests));
      expect(suite.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      expect(suite.time).toMatch(/^\d+\.\d{3}$/);
    }
  });
});

test("TAP has a point a rule, a plan, and directives for what fails nobody", () => {
  const lines = tapOf(mixed).split("\n");
  expect(lines.slice(0, 2)).toEqual(["TAP version 14", "1..61"]);
  const points = lines.filter((line) => /^(not )?ok /.test(line));
  expect(points.map((line) => Number(/\d+/.exec(line)?.[0]))).toEqual(
    Array.from({ length: 61 }, (_, at) => at + 1),
  );
  const failing = points.filter((line) => line.startsWith("not ok") && !line.includes(" # TODO"));
  expect(failing).toEqual([expect.stringContaining(SYNC), expect.stringContaining("AC1-LEAK-001")]);
  expect(points.filter((line) => line.includes(" # SKIP short"))).toHaveLength(1);
});

test("the table says what is wrong, why, and how to mend it; quiet, it says nothing else", () => {
  const quiet = tableOf(mixed, { quiet: true, color: false });
  expect(quiet).toContain(`${SYNC}    FAIL`);
  expect(quiet).toContain("→ Copy `request_id` from the request");
  expect(quiet).toContain("known: soon");
  expect(quiet).toContain("stale baseline entry: AC1-LEAK-001 (old)");
  expect(quiet).not.toContain("AC1-SYNC-001");
  expect(tableOf(mixed, { quiet: false, color: false })).toContain("AC1-SYNC-001    pass");
});
