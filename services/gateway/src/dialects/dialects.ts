import { chatDialect } from "./chat.ts";
import type { Dialect } from "./dialect.ts";
import { runDialect } from "./run.ts";
import { statusDialect } from "./status.ts";
import { turnDialect } from "./turn.ts";

export const DIALECTS = {
  chat: chatDialect,
  run: runDialect,
  status: statusDialect,
  turn: turnDialect,
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

/** What `?dialect=` may be. */
export const DIALECT_NAMES: readonly DialectName[] = namesOf(DIALECTS);

function namesOf<T extends object>(table: T): readonly (keyof T)[] {
  const names: (keyof T)[] = [];
  for (const name in table) names.push(name);
  return names;
}
