import { globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { root } from "../../lib/paths.ts";
import { npm, run, strangersEnv } from "../npm.ts";
import { PACKAGES, publishedName } from "../packages.ts";

/** A project of somebody who has never seen this repository. */
export interface Stranger {
  readonly folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Installs tarballs, and packages of the registry with the versions that this repository has. */
  install(...what: readonly string[]): Promise<void>;
  /** Runs a command in the folder; resolves with what it prints, throws with all that it says if it fails. */
  run(command: string, ...args: readonly string[]): Promise<string>;
  /** Environment in which `node` is this Node. */
  readonly env: NodeJS.ProcessEnv;
  /** Where one of our packages is installed. */
  installed(name: string): string;
}

/** @param folder outside the repository, so that nothing of it is found from there */
export function strangerIn(folder: string): Stranger {
  if (!relative(root, folder).startsWith(".."))
    throw new Error(`${folder} is in the repository: set TMPDIR to a folder outside of it.`);
  mkdirSync(folder, { recursive: true });
  // Without one, npm would install into the next folder above that has one.
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const env = strangersEnv();
  env.PATH = [dirname(process.execPath), withoutOurs(env.PATH)].join(delimiter);
  const installed = (name: string) => join(folder, "node_modules", publishedName(name));
  return {
    folder,
    env,
    installed,
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    },
    async install(...what) {
      await npm(
        folder,
        "install",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        ...what,
      );
      for (const name of Object.keys(PACKAGES))
        if (lstatSync(installed(name), { throwIfNoEntry: false })?.isSymbolicLink())
          throw new Error(`${publishedName(name)} is linked rather than installed.`);
    },
    run: (command, ...args) => run(command, args, { cwd: folder, env }),
  };
}

/** The programs of this repository's node_modules are not there for others. */
function withoutOurs(path = ""): string {
  return path
    .split(delimiter)
    .filter((directory) => relative(root, directory).startsWith(".."))
    .join(delimiter);
}

/** `typescript` becomes `typescript@7.0.2`, the version of this repository. */
export function asHere(...names: readonly string[]): string[] {
  const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return names.map((name) => `${name}@${devDependencies[name]}`);
}

/**
 * Imports every module of our packages, so that nothing they import is missing; a program is not a module. Those that come with the command
 * are programs and their workers for the most part: the project that it starts has them run.
 */
export function importAll(stranger: Stranger): Promise<string> {
  const modules = Object.entries(PACKAGES).flatMap(([name, { bin = {}, internal }]) =>
    internal || name === "cli"
      ? []
      : globSync("dist/**/*.js", { cwd: stranger.installed(name) })
          .filter((file) => !Object.values(bin).includes(file))
          .map((file) => join(stranger.installed(name), file)),
  );
  stranger.write(
    "import-all.mjs",
    `for (const file of ${JSON.stringify(modules)}) await import(file);\nconsole.log(${modules.length});\n`,
  );
  return stranger.run("node", "import-all.mjs");
}
