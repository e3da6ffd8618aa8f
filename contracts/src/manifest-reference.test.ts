import { expect, test } from "@jest/globals";
import { manifestReference } from "../scripts/manifest-reference.ts";
import { schemas } from "./schemas.ts";

const reference = manifestReference(schemas.gateway?.mesh ?? {});

test("a field of each section, with what it holds and whether it must be there", () => {
  for (const row of [
    "| `agents` * | by name: [agent](#agent) | The agents, by name. |",
    "| `label` | text | What a user reads while the agent works. |",
    "| `needs` | list of string | Steps that must be done before; a plan with this step has them, too. |",
    "| `effect` | `repeatable`, `once` | An agent's step that changes the world.",
  ])
    expect(reference).toContain(row);
});

test("every object of the schema has a table, and every link leads to one", () => {
  const titles = Array.from(reference.matchAll(/^## (.+)$/gm), ([, title = ""]) => title);
  const anchors = titles.map((title) =>
    title
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-")
      .toLowerCase(),
  );
  const linked = Array.from(reference.matchAll(/\]\(#([^)]+)\)/g), ([, anchor = ""]) => anchor);
  expect(linked.length).toBeGreaterThan(30);
  expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  const definitions = Object.entries(Object(schemas.gateway?.mesh?.$defs));
  const objects = definitions.flatMap(([name, schema]) => ("properties" in Object(schema) ? [name] : []));
  expect(objects.filter((name) => !titles.includes(name))).toEqual([]);
});
