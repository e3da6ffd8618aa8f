import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { schemas } from "@interlock/contracts";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { ERRORS } from "../src/errors.ts";
import { OWN_PATHS } from "../src/mesh/index.ts";
import { closing } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";

type Parameter = { name: string; in: string };
type Operation = { parameters?: (Parameter | { $ref: string })[]; requestBody?: unknown };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
};

const ROOT = new URL("../../../", import.meta.url);
const DOCUMENT: Document = parse(readFileSync(new URL("contracts/gateway/v1/openapi.yaml", ROOT), "utf8"));

const use = closing();

function queryOf({ parameters = [] }: Operation): string[] {
  const resolved = parameters.flatMap((one) =>
    "$ref" in one ? (DOCUMENT.components.parameters[one.$ref.split("/").at(-1) ?? ""] ?? []) : one,
  );
  return resolved.flatMap((one) => (one.in === "query" ? one.name : [])).sort();
}

test("the API's document and the table of endpoints have the same paths, methods, queries and bodies", async () => {
  const redis = use(await testRedis());
  const agent = use(await standIn({}));
  const agents = ["OPTIMIZER", "POLICY", "EXPLAINER", "SENSITIVITY"].map((name) => [
    `${name}_URL`,
    agent.url,
  ]);
  // The manifest that ships decides which tasks have endpoints of their own.
  const env = { MESH_FILE: fileURLToPath(new URL("mesh.yaml", ROOT)), ...Object.fromEntries(agents) };
  const { endpoints } = use(await testGateway({ manifest: {}, redisUrl: redis.url, env }));
  const served = endpoints.map(({ method, path, query, body }) => ({
    operation: `${method} ${path.replace(/:(id|subId)\b/g, "{$1}")}`,
    query: Object.keys(query).sort(),
    hasBody: body !== undefined,
  }));
  const documented = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      operation: `${method.toUpperCase()} ${path}`,
      query: queryOf(operation),
      hasBody: operation.requestBody !== undefined,
    })),
  );
  const byOperation = (a: { operation: string }, b: { operation: string }) =>
    a.operation < b.operation ? -1 : 1;
  expect(served.sort(byOperation)).toEqual(documented.sort(byOperation));
});

test("the manifest's endpoints may have no path of the API's own", async () => {
  const redis = use(await testRedis());
  const agents = { one: { url: "http://127.0.0.1:9", tasks: { ONE: "One." } } };
  const { endpoints } = use(await testGateway({ manifest: { agents }, redisUrl: redis.url }));
  const own = endpoints.flatMap(({ path }) => /^\/api\/v1\/([^/]+)/.exec(path)?.[1] ?? []);
  expect([...OWN_PATHS].sort()).toEqual([...new Set(own)].sort());
});

test("the contract lists the codes of the gateway's errors", () => {
  const { code } = Object(schemas.gateway?.error?.properties);
  expect([...code.examples].sort()).toEqual(Object.keys(ERRORS).sort());
});
