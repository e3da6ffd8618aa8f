import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Package, SCOPE } from "./packages.ts";

/** What is read here of the package.json of a workspace. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
}

export type Published = Omit<Manifest, "exports"> & {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
};

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/**
 * The package.json that is published. In the repository a package exports its sources, which Node runs as they are; below
 * node_modules it does not, so what is published exports the compiled files.
 *
 * @param project the package.json of the repository: all packages have its version
 * @param repository the URL of the repository that publishes; npm compares it with the provenance
 * @throws Error if the package has another version
 */
export function published(
  own: Manifest,
  entry: Package,
  project: Manifest,
  repository: string | undefined,
): Published {
  const { name, version, description, license } = own;
  if (version !== project.version)
    throw new Error(
      `${entry.folder}/package.json has version ${version}, the project ${project.version}: they are released together.`,
    );
  // What needs nothing newer says so itself.
  const engines = own.engines ?? project.engines;
  const copied = Object.entries(entry.copies ?? {});
  const imports = Object.fromEntries(copied.map(([alias, { to }]) => [alias, { types: `./${to}` }]));
  return {
    name,
    version,
    description,
    license,
    ...(repository === undefined
      ? {}
      : { repository: { type: "git", url: repository, directory: entry.folder } }),
    type: "module",
    sideEffects: entry.bin !== undefined,
    ...(engines ? { engines } : {}),
    ...(entry.bin ? { bin: entry.bin } : {}),
    exports: Object.fromEntries(Object.entries(own.exports).map(([path, file]) => [path, compiled(file)])),
    ...(copied.length > 0 ? { imports } : {}),
    files: ["dist", ...entry.data, ...Object.keys(entry.brings ?? {})],
    dependencies: Object.fromEntries(
      Object.entries(own.dependencies ?? {}).map(([on, range]) => [
        on,
        on.startsWith(SCOPE) ? version : range,
      ]),
    ),
    publishConfig: { access: "public", provenance: true },
  };
}

/** `./src/index.ts` becomes the files of `dist` that tsc makes of it. */
function compiled(source: string): { types: string; default: string } {
  const stem = source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, "");
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}
