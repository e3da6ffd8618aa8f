/**
 * `npm run -s sbom -- FOLDER`: writes what each package and each image is made of into the folder, as CycloneDX documents. They name npm
 * packages; what an image has from its base image, a scanner of images finds.
 */
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fail, say } from "../cli/src/console.ts";
import { dataDir, root } from "../lib/paths.ts";
import { readManifest } from "./manifest.ts";
import { npm } from "./npm.ts";
import { PACKAGES, SCOPE } from "./packages.ts";

/** The folders of all workspaces. */
const WORKSPACES = globSync(["contracts", "scripts/conformance", "services/*"], { cwd: root }).filter(
  (folder) => existsSync(join(root, folder, "package.json")),
);

/** Images that have dependencies of their own; those of the agents share theirs. */
const IMAGES: Readonly<Record<string, string>> = {
  gateway: "services/gateway",
  issuer: "services/issuer",
  conformance: "scripts/conformance",
};

/** The workspaces that each package and each image consists of, by its name. */
function subjects(): Map<string, readonly string[]> {
  const others = new Set([...Object.values(IMAGES), "services/client", "contracts"]);
  const all = new Map([["image-agents", WORKSPACES.filter((folder) => !others.has(folder))]]);
  for (const [name, folder] of Object.entries(IMAGES)) all.set(`image-${name}`, [folder]);
  for (const [name, { folder }] of Object.entries(PACKAGES)) all.set(`package-${name}`, [folder]);
  return all;
}

/** With the workspaces that these depend on: npm does not follow the links between them. */
function closure(folders: readonly string[], found = new Set<string>()): Set<string> {
  for (const folder of folders) {
    if (found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {} } = readManifest(join(root, folder));
    const ours = Object.keys(dependencies).filter((name) => name.startsWith(SCOPE));
    closure(
      WORKSPACES.filter((one) => ours.includes(readManifest(join(root, one)).name)),
      found,
    );
  }
  return found;
}

/**
 * What `npm sbom` says of a project that has these workspaces alone, with the versions of this repository. It is not asked here, because
 * `--omit=dev` would leave out all that the root also has for its development.
 */
async function bill(name: string, folders: readonly string[]): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "interlock-sbom-"));
  // npm calls the project as its folder is called.
  const project = join(scratch, `interlock-${name}`);
  try {
    mkdirSync(project);
    const { version, license } = readManifest(root);
    const workspaces = [...closure(folders)];
    writeJson(join(project, "package.json"), { name: `interlock-${name}`, version, license, workspaces });
    cpSync(join(root, "package-lock.json"), join(project, "package-lock.json"));
    for (const folder of workspaces) {
      const { devDependencies: _, ...manifest } = readManifest(join(root, folder));
      writeJson(join(project, folder, "package.json"), manifest);
    }
    // Drops from the lock file what none of them needs.
    await npm(
      project,
      "install",
      "--package-lock-only",
      "--prefer-offline",
      "--no-audit",
      "--loglevel=error",
    );
    const options = ["--package-lock-only", "--sbom-format=cyclonedx", "--omit=optional"];
    return await npm(project, "sbom", "--loglevel=error", ...options);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

async function main(): Promise<void> {
  const folder = resolve(process.argv[2] ?? join(dataDir, "sbom"));
  mkdirSync(folder, { recursive: true });
  for (const [name, folders] of subjects()) {
    const text = await bill(name, folders);
    const { components }: { components: readonly unknown[] } = JSON.parse(text);
    const file = join(folder, `${name}.cdx.json`);
    writeFileSync(file, text);
    say(`${file}: ${components.length} components`);
  }
}

await main().catch(fail);
