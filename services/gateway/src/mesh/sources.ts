import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sha256 } from "../canonical-json.ts";
import { MeshError } from "./mesh-error.ts";

/** The sources of a mesh. */
export type Sources = {
  /** The manifest, before its variables are filled in. */
  readonly text: string;
  /** The files that it names, by these names. */
  readonly files: ReadonlyMap<string, Buffer>;
};

/** They are kept in the store, and in memory as long as the edition is used. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The sources of a manifest on disk: remembers the files that are read. */
export class SourceFiles implements Sources {
  readonly text: string;
  readonly files: Map<string, Buffer>;
  readonly #file: string;
  readonly #readsMore: boolean;

  /**
   * @param stored instead of the files on disk
   * @param readsMore whether what is not stored is read from disk
   */
  constructor(file: string, stored?: Sources, readsMore = stored === undefined) {
    this.#file = file;
    this.text = stored?.text ?? readText(file);
    this.files = new Map();
    for (const [name, bytes] of stored?.files ?? []) this.files.set(name, Buffer.from(bytes));
    this.#readsMore = readsMore;
  }

  /** Whether the files are those of an earlier edition. */
  get isStored(): boolean {
    return !this.#readsMore;
  }

  resolve(name: string): string {
    return resolve(dirname(resolve(this.#file)), name);
  }

  read(name: string): Buffer | undefined {
    const known = this.files.get(name);
    if (known || !this.#readsMore) return known;
    try {
      const bytes = readFileSync(this.resolve(name));
      this.files.set(name, bytes);
      return bytes;
    } catch {
      return undefined;
    }
  }

  get problems(): string[] {
    let bytes = Buffer.byteLength(this.text);
    for (const file of this.files.values()) bytes += file.length;
    if (bytes <= MAX_BYTES) return [];
    return [`the manifest and the files that it names have more than ${MAX_BYTES} bytes together`];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new MeshError(file, ["the file cannot be read"]);
  }
}

const HASH_LENGTH = 16;

/**
 * Names an edition by what it is made from. The values of variables do not count: they belong to the place, and differ between replicas
 * of one edition.
 */
export function editionHash({ text, files }: Sources): string {
  const named = Array.from(files, ([name, content]) => [name, sha256(content)]).sort();
  return sha256(JSON.stringify([sha256(text), named])).slice(0, HASH_LENGTH);
}
