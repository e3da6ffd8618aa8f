import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What `npm start` records for the next one, and for `npm run token`. */
export interface RunRecord {
  /** The development issuer's URL, which its tokens have as `iss`. */
  readonly issuer?: string;
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
