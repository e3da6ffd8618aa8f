import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What a running `npm start` records for the next one. The Redis port stays on record after it stops, and is used again. */
export interface RunRecord {
  readonly pid?: number;
  readonly url?: string;
  readonly redisPort?: number;
}

export function readRecord(file: string): RunRecord {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunRecord;
  } catch {
    return {};
  }
}

export function writeRecord(file: string, record: RunRecord): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(record));
}
