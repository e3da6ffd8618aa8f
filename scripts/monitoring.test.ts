import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { closingAtEnd } from "../services/gateway/test/support/closing.ts";
import { testGateway } from "../services/gateway/test/support/gateway.ts";
import { pricingMesh } from "../services/gateway/test/support/mesh.ts";
import { get } from "../services/gateway/test/support/people.ts";
import { testRedis } from "../services/gateway/test/support/redis.ts";
import { standIn } from "../services/gateway/test/support/stand-in.ts";
import { ensureProgram } from "./lib/debian-program.ts";
import { root } from "./lib/paths.ts";

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
};

const keep = closingAtEnd();
const DIR = join(root, "deploy/monitoring");
const alerts: Rule[] = parse(readFileSync(join(DIR, "alerts.yaml"), "utf8")).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const dashboard = JSON.parse(readFileSync(join(DIR, "dashboard.json"), "utf8"));

/** The metrics of a real gateway, by the names that queries have: a histogram has three. */
const served = new Set<string>();

beforeAll(async () => {
  const redis = keep(await testRedis());
  const mesh = pricingMesh(keep(await standIn({})).url);
  const gateway = keep(await testGateway({ manifest: mesh, redisUrl: redis.url }));
  const { text } = await get(gateway, "/metrics");
  for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === "histogram" ? ["_bucket", "_count", "_sum"] : [""])
      served.add(name + suffix);
});

const namesIn = (query: string) => query.match(/interlock_\w+/g) ?? [];

test("every query of the alerts and of the dashboard is of metrics that a gateway has", () => {
  const queries = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
  ];
  expect(queries.filter((query) => namesIn(query).length === 0)).toEqual([]);
  expect(queries.flatMap(namesIn).filter((name) => !served.has(name))).toEqual([]);
});

test("every metric of the gateway's own is in the dashboard or in an alert", () => {
  const told = new Set(namesIn(JSON.stringify([alerts, dashboard])).map(base));
  const own = new Set([...served].filter((name) => name.startsWith("interlock_")).map(base));
  // Of interest only beside what they are a part of.
  const aside = ["interlock_model_fallbacks_total", "interlock_tool_cache_total"];
  expect([...own].filter((name) => !told.has(name))).toEqual(aside);
});

const base = (name: string) => name.replace(/_(?:bucket|count|sum)$/, "");

test("every alert says how urgent it is, what is wrong and what to do, and a test has it fire", () => {
  const { tests } = parse(readFileSync(join(DIR, "alerts.test.yaml"), "utf8"));
  const fired = new Set(
    tests.flatMap(({ alert_rule_test }: { alert_rule_test: { alertname: string; exp_alerts?: unknown }[] }) =>
      alert_rule_test.flatMap(({ alertname, exp_alerts }) => (exp_alerts ? [alertname] : [])),
    ),
  );
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(?:page|ticket)$/)]);
    expect([alert, Object.keys(annotations)]).toEqual([alert, ["summary", "do"]]);
    expect(fired).toContain(alert);
  }
  expect(alerts.length).toBeGreaterThanOrEqual(10);
});

const promtool = ensureProgram("promtool", "prometheus");
if (promtool === undefined) console.log("There is no promtool: the rules are not run.");

describe("Prometheus", () => {
  (promtool === undefined ? test.skip : test).each([
    ["reads the rules", ["check", "rules", "alerts.yaml"]],
    ["has each alert fire for what it watches", ["test", "rules", "alerts.test.yaml"]],
  ])("%s", (_, args) => {
    const { status, stdout, stderr } = spawnSync(promtool ?? "", args, { cwd: DIR, encoding: "utf8" });
    expect([status, status === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
  });
});
