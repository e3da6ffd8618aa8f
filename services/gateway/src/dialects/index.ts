export { toChatEvent } from "./chat.ts";
export type { Dialect, Encoder } from "./dialect.ts";
export { DIALECT_NAMES, DIALECTS, type DialectName } from "./dialects.ts";
export { largeStep } from "./outputs.ts";
export { progressText } from "./progress-text.ts";
export { toTurnAnswer } from "./turn.ts";
export { readTurnCursor, type TurnCursor } from "./turn-cursor.ts";
