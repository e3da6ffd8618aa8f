/**
 * Builds the package for publishing. Node does not strip types inside node_modules, and @interlock/contracts is not
 * published, so the package contains plain JavaScript and the files of the contracts.
 *
 *   node scripts/conformance/pack.ts [FOLDER]     then: npm publish FOLDER
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = import.meta.dirname;
const CONTRACTS = dirname(dirname(fileURLToPath(import.meta.resolve("@interlock/contracts"))));
const ROOT = resolve(HERE, "../..");

/** Strips types, and rewrites imports to what they are in the package. */
function compiled(code: string, contractsFrom: string): string {
  return stripTypeScriptTypes(code)
    .replaceAll(/(\bfrom\s+|\bimport\s+|\bimport\(\s*)"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"')
    .replaceAll('from "@interlock/contracts"', `from "${contractsFrom}"`)
    .replaceAll(/[ \t]+$/gm, "");
}

function sources(folder: string): string[] {
  return globSync("src/**/*.ts", { cwd: folder }).filter((file) => !file.endsWith(".test.ts"));
}

function compileTo(from: string, to: string, contracts: string): void {
  for (const file of sources(from)) {
    const target = join(to, file.replace(/\.ts$/, ".js"));
    const contractsFrom = relative(dirname(target), join(contracts, "src/index.js")).split(sep).join("/");
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compiled(readFileSync(join(from, file), "utf8"), contractsFrom));
  }
}

type Manifest = { readonly [name: string]: unknown; readonly dependencies: Readonly<Record<string, string>> };
function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function published(own: Manifest, contracts: Manifest): Manifest {
  const dependencies = { ...own.dependencies, ...contracts.dependencies };
  const external = Object.entries(dependencies).filter(([name]) => !name.startsWith("@interlock/"));
  const { name, version, description, license } = own;
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines: { node: ">=24" },
    bin: { "interlock-conformance": "src/main.js" },
    exports: { ".": "./src/index.js" },
    dependencies: Object.fromEntries(external),
  };
}

/** Empties the folder, then writes the package into it. */
export function packInto(folder: string): void {
  const contracts = join(folder, "contracts");
  rmSync(folder, { recursive: true, force: true });
  compileTo(HERE, folder, contracts);
  compileTo(CONTRACTS, contracts, contracts);
  for (const file of globSync("*/v1/*.{schema.json,yaml}", { cwd: CONTRACTS })) {
    cpSync(join(CONTRACTS, file), join(contracts, file));
  }
  const manifest = published(manifestOf(HERE), manifestOf(CONTRACTS));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(HERE, "README.md"), join(folder, "README.md"));
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, ".data/conformance-package"));
  packInto(folder);
  process.stdout.write(`${folder}\n`);
}
