import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { ensureProgram } from "../lib/debian-program.ts";
import { root } from "../lib/paths.ts";
import { SERVICES } from "../lib/services.ts";
import { BREAKS } from "./breaks.ts";
import { type Overlay, type Resource, RULES } from "./rules.ts";
import { unknownFields } from "./schema.ts";

const DIR = join(root, "deploy/kubernetes");
const OVERLAYS = ["small", "production"] as const;

const kubectl = ensureProgram("kubectl", "kubernetes-client");
if (kubectl === undefined) console.log("There is no kubectl: the Kubernetes manifests are not rendered.");

const rendered = new Map<Overlay, Resource[]>(
  kubectl === undefined ? [] : OVERLAYS.map((overlay) => [overlay, render(kubectl, overlay)]),
);

function render(program: string, overlay: Overlay): Resource[] {
  const { status, stdout, stderr } = spawnSync(program, ["kustomize", join(DIR, "overlays", overlay)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

const models = async (
  apiVersion: string,
): Promise<Record<string, new (data: object) => { validate(): void }>> =>
  await import(`kubernetes-models/${apiVersion}`);

describe.each([...rendered])("the overlay %s", (overlay, all) => {
  test.each(RULES)("$says", ({ broken }) => {
    expect(broken(all, overlay)).toEqual([]);
  });

  test("has no field that its kind does not have", () => {
    expect(all.flatMap(unknownFields)).toEqual([]);
    expect(all.length).toBeGreaterThan(30);
  });

  test("has every field that its kind requires, with a value that it allows", async () => {
    for (const resource of all) {
      if (resource.kind === "HTTPRoute") continue;
      const { [resource.kind]: Model } = await models(resource.apiVersion);
      if (!Model) throw new Error(`there is no ${resource.kind}`);
      expect(() => new Model(resource).validate()).not.toThrow();
    }
  });

  test("has every service that the repository ships, on its port, with a URL that the gateway knows", () => {
    const wanted = SERVICES.filter(({ name }) => overlay === "small" || name !== "issuer");
    const gateway = all.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "gateway");
    const env = JSON.stringify(gateway.spec.template.spec.containers[0].env);
    for (const { name, defaultPort, urlVariable } of wanted) {
      const service = all.find(({ kind, metadata }) => kind === "Service" && metadata.name === name);
      expect([name, service?.spec.ports[0].port]).toEqual([name, defaultPort]);
      if (urlVariable)
        expect(env).toContain(`{"name":"${urlVariable}","value":"http://${name}:${defaultPort}"}`);
    }
  });
});

describe.each(rendered.has("production") ? RULES : [])("the rule that $says", (rule) => {
  test("is broken by what it forbids", () => {
    const breaks = BREAKS[rule.says] ?? [];
    expect(breaks.length).toBeGreaterThan(0);
    for (const spoil of breaks) {
      const all = structuredClone(rendered.get("production") ?? []);
      spoil(all);
      expect([spoil.toString(), rule.broken(all, "production").length > 0]).toEqual([spoil.toString(), true]);
    }
  });
});

test.each([
  ["an unknown field", (one: Resource) => (one.spec.template.spec.containers[0].readinesProbe = {})],
  ["a text for a number", (one: Resource) => (one.spec.replicas = "3")],
  ["an object for a list", (one: Resource) => (one.spec.template.spec.containers = {})],
])("the walk over the schema finds %s", (_, spoil) => {
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    spec: { replicas: 1, template: { spec: { containers: [{ name: "one" }] } } },
  };
  expect(unknownFields(deployment)).toEqual([]);
  spoil(deployment);
  expect(unknownFields(deployment)).toHaveLength(1);
});

test("the files use only what old and new Kustomize share", () => {
  const known = [
    "namespace",
    "resources",
    "bases",
    "patchesStrategicMerge",
    "configMapGenerator",
    "generatorOptions",
  ];
  for (const dir of ["base", "overlays/small", "overlays/production"]) {
    const text = readFileSync(join(DIR, dir, "kustomization.yaml"), "utf8");
    expect(Object.keys(parse(text)).filter((key) => !known.includes(key))).toEqual([]);
    const { resources } = parse(text);
    expect(resources.every((name: string) => name.endsWith(".yaml"))).toBe(true);
  }
  const agents = readdirSync(join(DIR, "base/agents")).map((name) => name.replace(".yaml", ""));
  expect(new Set(agents)).toEqual(
    new Set(SERVICES.flatMap(({ name }) => (name === "gateway" || name === "issuer" ? [] : name))),
  );
});

test("each metric of an autoscaler has a rule of the adapter, which serves it under its name", () => {
  const adapter = readFileSync(join(DIR, "overlays/production/prometheus-adapter.yaml"), "utf8");
  const { custom, external } = parse(adapter).rules;
  const seriesOf = (rules: { seriesQuery: string }[]) =>
    rules.map(({ seriesQuery }) => seriesQuery.replace(/\{.*/, ""));
  const scalers = parseAllDocuments(
    readFileSync(join(DIR, "overlays/production/autoscalers.yaml"), "utf8"),
  ).map((document) => document.toJS());
  const metrics: Resource[] = scalers.flatMap(({ spec }) => spec.metrics);
  const namesOf = (kind: "pods" | "external") =>
    new Set(metrics.flatMap((one) => one[kind]?.metric.name ?? []));
  expect(namesOf("pods")).toEqual(new Set(seriesOf(custom)));
  expect(namesOf("external")).toEqual(new Set(seriesOf(external)));
});

test("the manifests differ from the repository's in where their parts lie, and in the issuer", () => {
  const shipped = parse(readFileSync(join(root, "mesh.yaml"), "utf8"));
  for (const dir of ["base", "overlays/production"]) {
    const { include, identity, egress, ...mesh } = parse(readFileSync(join(DIR, dir, "mesh.yaml"), "utf8"));
    expect(include).toEqual(shipped.include.map((name: string) => `/app/${name}`));
    expect(mesh).toEqual({ limits: shipped.limits, models: shipped.models });
    expect(egress).toBeDefined();
    expect(identity === undefined).toBe(dir === "base");
  }
});
