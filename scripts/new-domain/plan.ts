import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parse } from "yaml";
import { insertItem, removeItem } from "../cli/src/yaml-text.ts";
import { type Order, upper } from "../new-agent/order.ts";
import { rendered } from "../new-agent/templates.ts";
import type { Changes } from "../new-agent/write.ts";

const TEMPLATE = join(import.meta.dirname, "template");
const MANIFEST = "mesh.yaml";

type Named = Pick<Order, "name" | "taskType" | "port">;

const folderOf = (name: string): string => `services/${name}`;
const partOf = (name: string): string => `${folderOf(name)}/domain.yaml`;

/** All that a domain changes, worked out before anything is written. @throws where the manifest cannot be edited */
export function changesFor(order: Named, manifest: string): Changes {
  const after = insertItem(manifest, ["include"], partOf(order.name));
  return {
    folder: folderOf(order.name),
    files: rendered([TEMPLATE], order),
    edits: [{ file: MANIFEST, before: manifest, after }],
  };
}

/** Undoes it. @throws where the folder is not as it was made: what somebody has written is not removed */
export function remove(root: string, name: string): void {
  const part = join(root, partOf(name));
  if (!existsSync(part)) throw new Error(`There is no ${partOf(name)}.`);
  const [, port] = /:(\d+)\}$/.exec(String(parse(readFileSync(part, "utf8"))?.agents?.[name]?.url)) ?? [];
  const made = rendered([TEMPLATE], { name, taskType: upper(name), port: Number(port) });
  const folder = join(root, folderOf(name));
  const isAsMade = filesIn(folder).every(
    (file) => made.get(file) === readFileSync(join(folder, file), "utf8"),
  );
  if (!isAsMade)
    throw new Error(
      `${folderOf(name)} is not as it was made. Remove it and its line in ${MANIFEST} by hand if you mean it.`,
    );
  const manifest = join(root, MANIFEST);
  writeFileSync(manifest, removeItem(readFileSync(manifest, "utf8"), ["include"], partOf(name)));
  rmSync(folder, { recursive: true });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}
