export { toChatEvent } from "./chat.ts";
export type { Dialect, Encoder } from "./dialect.ts";
export { DIALECT_NAMES, DIALECTS, type DialectName } from "./dialects.ts";
