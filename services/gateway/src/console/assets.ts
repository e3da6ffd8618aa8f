import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOf, type StaticFile, staticFile } from "./files.ts";

const OWN = new URL("./assets/", import.meta.url);

/** Of libraries, as their packages ship it; bare names in modules of pages mean these. */
const LIBRARIES = ["preact", "preact/hooks", "htm"] as const;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
};

/** What pages consist of beside their markup. */
export type Assets = {
  /** Finds a file by its path, with or without the digest of its content in the name. */
  find(path: string): StaticFile | undefined;
  /** The path of a file with its digest: what is there never changes. */
  hrefOf(name: string): string;
  /** Where modules are, as JSON: with it they import each other by their plain names. */
  readonly importMap: string;
  /** Names of all files. */
  readonly names: readonly string[];
};

/** Reads all assets. */
export function readAssets(): Assets {
  const own = readdirSync(OWN).map((name) => [name, readFileSync(new URL(name, OWN))] as const);
  const libraries = LIBRARIES.map((name) => [fileOf(name), readLibrary(name)] as const);
  const plain = new Map<string, StaticFile>();
  const lasting = new Map<string, StaticFile>();
  const hrefs = new Map<string, string>();
  for (const [name, bytes] of [...own, ...libraries]) {
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`${name} is of no type that pages have`);
    const file = staticFile(type, bytes);
    const href = `/assets/${name.replace(/(?=\.\w+$)/, `.${digestOf(bytes)}`)}`;
    plain.set(`/assets/${name}`, file);
    hrefs.set(name, href);
    lasting.set(href, { ...file, headers: { ...file.headers, "cache-control": FOR_EVER } });
  }
  const hrefOf = (name: string): string => {
    const href = hrefs.get(name);
    if (href === undefined) throw new Error(`there is no asset ${name}`);
    return href;
  };
  const modules = [...hrefs].filter(([name]) => name.endsWith(".js"));
  const imports = Object.fromEntries([
    ...LIBRARIES.map((name) => [name, hrefOf(fileOf(name))]),
    ...modules.map(([name, href]) => [`/assets/${name}`, href]),
  ]);
  return {
    // A page of a replica of another version names another digest: it gets what there is, and asks again next time.
    find: (path) => lasting.get(path) ?? plain.get(path.replace(/\.[\w-]{16}(?=\.\w+$)/, "")),
    hrefOf,
    importMap: JSON.stringify({ imports }),
    names: [...hrefs.keys()],
  };
}

const FOR_EVER = "public, max-age=31536000, immutable";

const fileOf = (library: string): string => `${library.replace("/", "-")}.js`;

/** Without the reference to a source map, which is not served. */
function readLibrary(name: string): Buffer {
  const text = readFileSync(fileURLToPath(import.meta.resolve(name)), "utf8");
  return Buffer.from(text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}
