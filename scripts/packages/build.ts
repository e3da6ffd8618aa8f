import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../lib/paths.ts";
import { program } from "../lib/tasks.ts";
import { type Manifest, published, readManifest } from "./manifest.ts";
import { DOCUMENT, PACKAGES, type Package, SCOPE } from "./packages.ts";
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
  const described = Object.keys(PACKAGES).filter((name) => !PACKAGES[name]?.internal);
  const texts = readmes(readFileSync(join(root, DOCUMENT), "utf8"), described);
  const project = readManifest(root);
  for (const [name, entry] of Object.entries(PACKAGES)) {
    const to = join(folder, name);
    const own = readManifest(join(root, entry.folder));
    stage(entry, to, own.engines !== undefined);
    write(to, "package.json", published(own, entry, project, repository));
    writeFileSync(join(to, "README.md"), texts.get(name) ?? internalReadme(own));
    symlinkSync(`../../${name}`, join(modules, name));
  }
  // Each compiles against the declarations of those that it depends on.
  const compiled = new Map<string, Promise<void>>();
  for (const [name, entry] of inOrder(PACKAGES)) {
    const before = dependenciesOf(entry).map((other) => compiled.get(other));
    compiled.set(
      name,
      Promise.all(before).then(async () => {
        copyTypes(entry, join(folder, name), folder);
        await compile(join(folder, name));
        nameCompiledFiles(join(folder, name));
      }),
    );
  }
  await Promise.all(compiled.values());
}

function inOrder(packages: Readonly<Record<string, Package>>): [name: string, entry: Package][] {
  const ordered = new Map<string, Package>();
  const add = (name: string): void => {
    const entry = packages[name];
    if (entry === undefined || ordered.has(name)) return;
    for (const other of dependenciesOf(entry)) add(other);
    ordered.set(name, entry);
  };
  for (const name of Object.keys(packages)) add(name);
  return [...ordered];
}

/** What a package needs of ours to be compiled, by its short name. */
function dependenciesOf({ folder, copies = {} }: Package): string[] {
  const { dependencies = {} } = readManifest(join(root, folder));
  const ours = Object.keys(dependencies).filter((name) => name.startsWith(SCOPE));
  const copied = Object.values(copies).map(({ from }) => from.split("/")[0] ?? "");
  return [...ours.map((name) => name.slice(SCOPE.length)), ...copied];
}

function internalReadme({ name, description }: Manifest): string {
  return `# ${name}\n\n${description}. A part of Interlock, which comes with \`${SCOPE}cli\`.\n`;
}

/**
 * The compiler renames what is imported, not the files of workers and of other processes, which their URL names. Both endings are as long:
 * the source maps stay right.
 */
function nameCompiledFiles(folder: string): void {
  for (const file of globSync("dist/**/*.js", { cwd: folder })) {
    const path = join(folder, file);
    const code = readFileSync(path, "utf8");
    const named = code.replaceAll(/(?<=new URL\("\.\/[\w./-]+)\.ts(?=", import\.meta\.url\))/g, ".js");
    if (named !== code) writeFileSync(path, named);
  }
}

/** Files beside the sources that the code reads, or a browser; they keep their place beside the compiled files. */
export function besideSources(folder: string): string[] {
  return globSync("src/**/*.{lua,md,js,mjs,css,svg}", { cwd: folder }).filter(
    (file) => !file.includes("/test/"),
  );
}

/** Copies what the package is made of. The compiler is to see no test. @param old whether it also runs on older releases of Node, from 20 on */
function stage({ folder, data, brings = {} }: Package, to: string, old: boolean): void {
  const from = join(root, folder);
  const sources = globSync("src/**/*.ts", { cwd: from }).filter((file) => !/\.test\.ts$|\/test\//.test(file));
  for (const file of [...sources, ...data.flatMap((pattern) => globSync(pattern, { cwd: from }))])
    cpSync(join(from, file), join(to, file), { recursive: true });
  for (const [file, own] of Object.entries(brings)) cpSync(join(root, own), join(to, file));
  for (const file of besideSources(from)) cpSync(join(from, file), join(to, file.replace(/^src/, "dist")));
  // What is plain JavaScript has its declaration beside it.
  for (const file of globSync("src/**/*.d.mts", { cwd: from })) cpSync(join(from, file), join(to, file));
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
