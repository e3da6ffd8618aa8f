import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What a running `npm start` records for the next one. Redis port and issuer stay on record after it stops. */
export interface RunRecord {
  readonly pid?: number;
  readonly url?: string;
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
