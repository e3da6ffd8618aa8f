import { readdirSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { FinopsError } from "../errors.ts";

export type DataFile = {
  readonly path: string /** As reports name it. */;
  readonly name: string;
  readonly kind: "csv" | "parquet";
};

const KINDS = [
  [/\.parquet$/i, "parquet"],
  [/\.csv(?:\.gz)?$/i, "csv"],
] as const;

/** The CSV and Parquet files of a data set, sorted. @throws FinopsError INVALID_DATA where there are none */
export function filesOf(place: string): DataFile[] {
  const info = statSync(place, { throwIfNoEntry: false });
  if (info === undefined) throw new FinopsError("INVALID_DATA", "The billing data are not there.");
  if (info.isFile()) {
    const kind = kindOf(place);
    if (kind === undefined)
      throw new FinopsError("INVALID_DATA", "A file of billing data is called .csv, .csv.gz or .parquet.");
    return [{ path: place, name: basename(place), kind }];
  }
  const found = readdirSync(place, { recursive: true, withFileTypes: true }).flatMap((entry): DataFile[] => {
    const kind = kindOf(entry.name);
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() && kind ? [{ path, name: relative(place, path), kind }] : [];
  });
  if (found.length === 0)
    throw new FinopsError("INVALID_DATA", "The directory of billing data has no .csv or .parquet file.");
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function kindOf(name: string): DataFile["kind"] | undefined {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1];
}
