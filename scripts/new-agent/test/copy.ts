import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "../../lib/paths.ts";
import { FILES } from "../repository.ts";

const CONFIGURATION = ["package.json", "tsconfig.base.json", "tsconfig.json"];

export interface Copy {
  readonly path: string;
  remove(): void;
}

/** A tree in which agents can be made, beside this one: what a new agent changes is copied, the rest is linked. */
export function copyOfTheTree(): Copy {
  const path = mkdtempSync(join(tmpdir(), "interlock-new-agent-"));
  for (const file of [...CONFIGURATION, ...Object.values(FILES).filter((name) => !name.includes("/"))])
    copyFileSync(join(root, file), join(path, file));
  mkdirSync(join(path, "scripts"));
  for (const name of ["new-agent.ts", "new-agent", "new-domain.ts", "new-domain", "lib", "cli"])
    cpSync(join(root, "scripts", name), join(path, "scripts", name), { recursive: true });
  for (const folder of [
    "contracts",
    "scripts/conformance",
    "scripts/create-interlock",
    ...readdirSync(join(root, "services")).map((name) => `services/${name}`),
  ])
    linkedFolder(join(root, folder), join(path, folder));
  linkModules(join(root, "node_modules"), join(path, "node_modules"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** npm wants a package's own manifest to be in the tree. */
function linkedFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === "package.json") copyFileSync(join(from, name), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}

/** Links to packages of the repository lead to those of this one, and new ones can be added. */
function linkModules(from: string, to: string): void {
  mkdirSync(join(to, "@interlock"), { recursive: true });
  for (const name of readdirSync(from))
    if (name !== "@interlock") symlinkSync(join(from, name), join(to, name));
  const own = join(from, "@interlock");
  for (const name of readdirSync(own))
    symlinkSync(resolve(own, readlinkSync(join(own, name))), join(to, "@interlock", name));
}
