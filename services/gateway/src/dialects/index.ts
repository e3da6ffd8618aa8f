export { toChatEvent } from "./chat.ts";
export type { Dialect } from "./dialect.ts";
export { DIALECTS, type DialectName } from "./dialects.ts";
