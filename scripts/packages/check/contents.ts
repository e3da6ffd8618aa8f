import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../lib/paths.ts";
import { besideSources } from "../build.ts";
import { type Published, readManifest } from "../manifest.ts";
import type { Tarball } from "../pack.ts";
import { type Package, SCOPE } from "../packages.ts";

/** What a package may have beside the files that it reads. */
const EXPECTED = /^(?:package\.json|README\.md|LICENSE|dist\/(?:[\w-]+\/)*[\w.-]+\.(?:js|js\.map|d\.ts))$/;
const TEST = /\.test\.|(?:^|\/)test\//;
/** Bytes of a tarball. The largest has half of it; what comes near it has something in it that does not belong there. */
const LARGEST = 250_000;

/**
 * What is wrong with a package, in words; nothing if it is as it should be.
 * @param folder where it is installed
 */
export function problemsOf(entry: Package, tarball: Tarball, folder: string): string[] {
  const manifest: Published = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { largest = LARGEST } = entry;
  const from = join(root, entry.folder);
  const beside = besideSources(from).map((file) => file.replace(/^src/, "dist"));
  const data = [
    ...entry.data.flatMap((pattern) => filesOf(pattern, from)),
    ...beside,
    ...Object.keys(entry.brings ?? {}),
  ];
  return [
    ...wrongFiles(tarball, new Set(data)),
    ...data.filter((file) => !tarball.files.includes(file)).map((file) => `${file} is missing`),
    ...wrongManifest(manifest, entry, folder),
    ...tarball.files.flatMap((file) => wrongText(file, folder, beside)),
    ...(tarball.size > largest ? [`it has ${tarball.size} bytes: more than ${largest}`] : []),
  ];
}

function filesOf(pattern: string, cwd: string): string[] {
  return globSync(pattern, { cwd, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? relative(cwd, join(entry.parentPath, entry.name)) : [],
  );
}

function wrongFiles({ files }: Tarball, data: ReadonlySet<string>): string[] {
  return files.flatMap((file) => {
    if (data.has(file)) return [];
    if (TEST.test(file)) return [`${file} is a test`];
    return EXPECTED.test(file) ? [] : [`${file} does not belong into it`];
  });
}

function wrongManifest(manifest: Published, entry: Package, folder: string): string[] {
  const { engines = readManifest(root).engines } = readManifest(join(root, entry.folder));
  const { version, license } = readManifest(root);
  const targets = [
    ...Object.values(manifest.exports).flatMap((target) => [target.types, target.default]),
    ...Object.values(manifest.bin ?? {}),
    "README.md",
    "LICENSE",
  ];
  const foreign = Object.entries(manifest.dependencies ?? {}).filter(
    ([name, range]) => name.startsWith(SCOPE) && range !== version,
  );
  return [
    ...(manifest.version === version ? [] : [`its version is ${manifest.version}, not ${version}`]),
    ...(manifest.license === license ? [] : [`its license is ${manifest.license}`]),
    ...(manifest.engines?.node === engines?.node
      ? []
      : ["its engines are neither its own nor the project's"]),
    ...("private" in manifest ? ["it is private"] : []),
    ...targets.filter((file) => !existsSync(join(folder, file))).map((file) => `${file} is missing`),
    ...foreign.map(([name, range]) => `it depends on ${name} ${range}, not ${version}`),
  ];
}

function wrongText(file: string, folder: string, beside: readonly string[]): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const problems = text.includes(root) ? [`${file} has a path of the machine that built it`] : [];
  return file.endsWith(".js") && !beside.includes(file)
    ? [...problems, ...wrongMap(file, text, folder)]
    : problems;
}

/** A map must hold its sources, since they are not published. */
function wrongMap(file: string, code: string, folder: string): string[] {
  const name = /^\/\/# sourceMappingURL=(.+)$/m.exec(code)?.[1];
  if (name === undefined) return [`${file} has no source map`];
  const path = join(folder, file, "..", name);
  if (!existsSync(path)) return [`${file}: its source map is missing`];
  const map: { sources?: string[]; sourcesContent?: (string | null)[] } = JSON.parse(
    readFileSync(path, "utf8"),
  );
  const { sources = [], sourcesContent = [] } = map;
  const whole = sources.length > 0 && sources.every((_, at) => sourcesContent[at]);
  return whole ? [] : [`${file}: its source map does not hold its sources`];
}
