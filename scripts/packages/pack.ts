/**
 * `npm run -s pack -- [FOLDER]`: builds the packages that others install, and writes their tarballs into the folder.
 * REPOSITORY is the URL that the packages name as theirs: npm accepts a package with provenance only from there.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, say } from "../cli/src/console.ts";
import { dataDir, root } from "../lib/paths.ts";
import { buildPackages } from "./build.ts";
import { npm } from "./npm.ts";
import { PACKAGES } from "./packages.ts";

export interface Tarball {
  readonly name: string;
  readonly version: string;
  /** The absolute path of the file. */
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  /** The paths of its files. */
  readonly files: readonly string[];
}

/** Packs all packages into the folder, which is made where it is missing. */
export async function packInto(folder: string): Promise<Tarball[]> {
  mkdirSync(folder, { recursive: true });
  const builds = join(root, ".data/packages");
  mkdirSync(builds, { recursive: true });
  const build = mkdtempSync(join(builds, "build-"));
  try {
    await buildPackages(build, process.env.REPOSITORY || undefined);
    const folders = Object.keys(PACKAGES).map((name) => `./${name}`);
    const said = await npm(
      build,
      "pack",
      "--json",
      "--loglevel=error",
      "--pack-destination",
      folder,
      ...folders,
    );
    return (JSON.parse(said) as Said[]).map(({ name, version, filename, size, unpackedSize, files }) => ({
      name,
      version,
      file: join(folder, filename.replace(/^@/, "").replace("/", "-")),
      size,
      unpackedSize,
      files: files.map(({ path }) => path),
    }));
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

type Said = Omit<Tarball, "file" | "files"> & {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
};

async function main(): Promise<void> {
  const folder = resolve(process.argv[2] ?? join(dataDir, "packages/tarballs"));
  for (const { file } of await packInto(folder)) say(file);
}

if (import.meta.main) await main().catch(fail);
