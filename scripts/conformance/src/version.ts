import { readFileSync } from "node:fs";

/** The version in package.json, which is one level up both here and in the published package. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
).version;
