import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where commands keep Redis data, logs and summaries. Ignored by Git. */
export const dataDir = process.env.INTERLOCK_DATA_DIR || join(root, ".data");
