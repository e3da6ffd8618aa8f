import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../lib/paths.ts";
import { program } from "../lib/tasks.ts";
import { published, readManifest } from "./manifest.ts";
import { DOCUMENT, PACKAGES, type Package } from "./packages.ts";
import { readmes } from "./readmes.ts";

/**
 * Builds all packages: each gets a folder of its name with what is published. The folder must be inside the repository,
 * where the compiler finds the dependencies that the packages do not have from each other; it is emptied before.
 *
 * @throws Error with what the compiler says
 */
export async function buildPackages(folder: string, repository?: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const modules = join(folder, "node_modules/@interlock");
  mkdirSync(modules, { recursive: true });
  const texts = readmes(readFileSync(join(root, DOCUMENT), "utf8"), Object.keys(PACKAGES));
  const project = readManifest(root);
  for (const [name, entry] of Object.entries(PACKAGES)) {
    const to = join(folder, name);
    const own = readManifest(join(root, entry.folder));
    stage(entry, to, own.engines !== undefined);
    write(to, "package.json", published(own, entry, project, repository));
    writeFileSync(join(to, "README.md"), texts.get(name) ?? "");
    symlinkSync(`../../${name}`, join(modules, name));
  }
  const [first = "", ...others] = Object.keys(PACKAGES);
  await compile(join(folder, first));
  for (const [name, entry] of Object.entries(PACKAGES)) copyTypes(entry, join(folder, name), folder);
  await Promise.all(others.map((name) => compile(join(folder, name))));
}

/** Copies what the package is made of. The compiler is to see no test. @param old whether it also runs on older releases of Node, from 20 on */
function stage({ folder, data }: Package, to: string, old: boolean): void {
  const from = join(root, folder);
  const sources = globSync("src/**/*.ts", { cwd: from }).filter((file) => !file.endsWith(".test.ts"));
  for (const file of [...sources, ...data.flatMap((pattern) => globSync(pattern, { cwd: from }))])
    cpSync(join(from, file), join(to, file));
  cpSync(join(root, "LICENSE"), join(to, "LICENSE"));
  write(to, "tsconfig.json", {
    extends: relative(to, join(root, "tsconfig.base.json")),
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      sourceMap: true,
      // The sources are not published: the maps hold them.
      inlineSources: true,
      rootDir: "src",
      outDir: "dist",
      // What Node 20 has: anything newer does not compile.
      ...(old ? { target: "es2023", lib: ["es2023"] } : {}),
    },
    include: ["src"],
  });
}

function copyTypes({ copies = {} }: Package, to: string, build: string): void {
  for (const { from, to: file } of Object.values(copies)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(build, from), join(to, file));
  }
}

function compile(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = [program("typescript/bin/tsc"), "-p", folder, "--pretty", "false"];
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      error
        ? reject(new Error(`${relative(root, folder)} does not compile:\n${stdout}${stderr}`))
        : resolve(),
    );
  });
}

function write(folder: string, file: string, value: object): void {
  writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
}
