/** An expression that could not be compiled or evaluated. Its message holds JSONata's code and the position, never a value. */
export class ExpressionError extends Error {
  readonly code: string;

  constructor(code: string, said?: string) {
    super(`JSONata ${code}${said === undefined ? "" : `: ${said}`}`);
    this.name = "ExpressionError";
    this.code = code;
  }

  static at(code = "error", position?: number): ExpressionError {
    return new ExpressionError(position === undefined ? code : `${code} at character ${position}`);
  }

  /** A source that does not parse. Its text is the manifest's, so that what is wrong in it may be quoted. */
  static in(source: string, error: unknown): ExpressionError {
    const { code = "error", position } = describeError(error);
    return new ExpressionError(
      position === undefined ? code : `${code} at ${placeIn(source, position)}`,
      SYNTAX[code]?.(wordsOf(error)),
    );
  }
}

function placeIn(source: string, position: number): string {
  const before = source.slice(0, position).split("\n");
  return `line ${before.length}, character ${(before.at(-1) ?? "").length}`;
}

type Words = { token: string; value: string };

function wordsOf(error: unknown): Words {
  const quoted = (name: string): string => {
    const word: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
    return typeof word === "string" ? `"${word}"` : "something else";
  };
  return { token: quoted("token"), value: quoted("value") };
}

/** What JSONata's syntax errors say, by code. */
const SYNTAX: Readonly<Record<string, (words: Words) => string>> = {
  S0101: () => "a string is not closed",
  S0102: () => "a number is too large",
  S0103: () => "a string has an escape that is not known",
  S0104: () => "\\u in a string has to be followed by four hexadecimal digits",
  S0105: () => "a name in backticks is not closed",
  S0106: () => "a comment is not closed",
  S0201: ({ token }) => `${token} is not expected here`,
  S0202: ({ token, value }) => `${value} is expected, not ${token}`,
  S0203: ({ value }) => `${value} is expected, but the expression ends`,
  S0204: ({ token }) => `${token} is not an operator`,
  S0207: () => "the expression ends too early",
  S0208: ({ token }) => `a parameter of a function begins with $, unlike ${token}`,
  S0209: () => "a filter cannot follow a grouping",
  S0210: () => "an expression can be grouped once only",
  S0211: ({ token }) => `${token} cannot begin an expression`,
  S0212: () => "the left side of := has to be a variable, such as $x",
  S0213: () => "a literal cannot be a step of a path",
  S0214: () => "the right side has to be a variable, such as $x",
};

/** JSONata throws plain objects with a stable `code` (S0xxx syntax, T0xxx type, D0xxx evaluation) and a position. Nothing else of them is passed on: their text may quote values. */
export function describeError(error: unknown): { code?: string; position?: number } {
  if (typeof error !== "object" || error === null) return {};
  return {
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...("position" in error && typeof error.position === "number" ? { position: error.position } : {}),
  };
}
