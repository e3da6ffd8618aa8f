/**
 * A large JSON value that stays text, since parsing and writing it would hold the event loop. It goes as it is into journals, into
 * requests to agents and to the processes that evaluate expressions.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }

  /** For JSON.stringify: right everywhere, but slow. */
  toJSON(): unknown {
    return this.value;
  }
}

/** The value itself, wherever it may be text. */
export function plainValue(value: unknown): unknown {
  return value instanceof JsonText ? value.value : value;
}

/** JSON.stringify for an object, some of whose members may be text already. */
export function writeJson(members: Readonly<Record<string, unknown>>): string {
  const written = Object.entries(members).flatMap(([name, member]) => {
    const text = member instanceof JsonText ? member.text : JSON.stringify(member);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${written.join(",")}}`;
}

/** Characters of a string that cost about as much as one value. */
const CHARACTERS = 16;

/** Subtracts the number of values within a value, and stops below zero: the cost of counting is bounded by `left`. */
export function lessSizeOf(value: unknown, left: number): number {
  if (value instanceof JsonText) return -1;
  let rest = left - 1;
  if (typeof value === "string") return rest - value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return rest;
  for (const name in value) {
    if (rest < 0) return rest;
    rest = lessSizeOf(Reflect.get(value, name), rest);
  }
  return rest;
}
