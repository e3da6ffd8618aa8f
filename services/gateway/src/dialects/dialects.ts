import { chatDialect } from "./chat.ts";
import type { Dialect } from "./dialect.ts";
import { runDialect } from "./run.ts";

export const DIALECTS = { chat: chatDialect, run: runDialect } as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;
