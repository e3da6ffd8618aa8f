import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { gatewayContract } from "./index.ts";
import { compileSchema } from "./validate.ts";

const contract = new URL("../gateway/v1/", import.meta.url);
const root = new URL("../../", import.meta.url);
const text = (path: string, base: URL) => readFileSync(new URL(path, base), "utf8");
const validate = compileSchema(JSON.parse(text("editor.schema.json", contract)));

const { include }: { include: string[] } = parse(text("mesh.yaml", root));

test.each(["mesh.yaml", ...include])("%s is valid as it is written, and names the schema", (file) => {
  const written = text(file, root);
  expect(validate(parse(written))).toMatchObject({ ok: true });
  const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(written) ?? [];
  expect(new URL(schema, new URL(file, root)).href).toBe(new URL("editor.schema.json", contract).href);
});

const examples = new URL("examples/mesh/valid/", contract);
test.each(readdirSync(examples))(
  "the example %s, which includes nothing, is as valid as for the gateway",
  (file) => {
    const example: unknown = JSON.parse(text(file, examples));
    expect(validate(example).ok).toBe(gatewayContract.mesh(example).ok);
  },
);

const agent = { url: "http://127.0.0.1:9001", tasks: { COUNT: "Counts." } };

test.each([
  [
    "variables",
    { agents: { counter: { ...agent, identity: `\${ID:-none}`, limits: { retries: `\${N:-1}` } } } },
  ],
  [
    "a file of examples",
    { services: { counter: { agent: "counter", task_type: "COUNT", examples: "a.yaml" } } },
  ],
])("it takes %s", (_what, manifest) => {
  expect(validate(manifest)).toMatchObject({ ok: true });
});

test.each([
  ["a misspelt field", { agents: { counter: { ...agent, lable: { en: "Count", ko: "세기" } } } }],
  [
    "another text than a variable for a number",
    { agents: { counter: { ...agent, limits: { retries: "one" } } } },
  ],
  ["a value that is none of those there are", { agents: { counter: { ...agent, identity: "sealed" } } }],
  ["an address that is none", { agents: { counter: { ...agent, url: "localhost" } } }],
  ["one file where there is a list", { include: "services/pricing/domain.yaml" }],
])("it refuses %s", (_what, manifest) => {
  expect(validate(manifest)).toMatchObject({ ok: false });
});
