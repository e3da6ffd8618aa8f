import { readFileSync } from "node:fs";
import { parseObject } from "./audit-json.ts";

/** What a tenant's decision log was at a time, to be kept where nobody who can write to Redis can write. */
export type Anchor = {
  tenant: string;
  /** Entries that the log had. */
  length: number;
  /** Stands for all of them; see ChainReport. */
  digest: string;
  at: string;
};

/** Reads a file of anchors, one JSON object a line. @throws Error that names the line */
export function readAnchors(file: string): Anchor[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [anchorOf(line, `${file}:${index + 1}`)]));
}

function anchorOf(line: string, place: string): Anchor {
  const { tenant, length, digest, at } = parseObject(line) ?? {};
  if (
    typeof tenant !== "string" ||
    !Number.isSafeInteger(length) ||
    typeof digest !== "string" ||
    typeof at !== "string"
  )
    throw new Error(`${place} is not an anchor`);
  return { tenant, length: Number(length), digest, at };
}

/** Compares a log, as it is walked, with what anchors say of its beginning. */
export class AnchorCheck {
  readonly #byLength: ReadonlyMap<number, readonly Anchor[]>;
  readonly #problems: string[] = [];
  #entries = 0;

  constructor(anchors: readonly Anchor[]) {
    this.#byLength = Map.groupBy(anchors, ({ length }) => length);
    this.pass(0, "");
  }

  /** @param digest of the first `entries` entries */
  pass(entries: number, digest: string): void {
    this.#entries = entries;
    for (const anchor of this.#byLength.get(entries) ?? [])
      if (anchor.digest !== digest)
        this.#problems.push(
          `anchor of ${anchor.at}: the first ${entries} entries are not those of that time`,
        );
  }

  problems(): string[] {
    const cut = [...this.#byLength.values()].flat().filter(({ length }) => length > this.#entries);
    return [
      ...this.#problems,
      ...cut.map(
        ({ at, length }) => `anchor of ${at}: there were ${length} entries, now there are ${this.#entries}`,
      ),
    ];
  }
}
