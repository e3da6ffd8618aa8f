import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** What runs leave behind: Redis data, logs, summaries. Never committed. */
export const dataDir = process.env.INTERLOCK_DATA_DIR || join(root, ".data");
