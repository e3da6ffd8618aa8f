/** The grammar of a JSON number, one byte at a time. */
const STATES = ["minus", "zero", "integer", "point", "fraction", "e", "sign", "exponent"] as const;
export type NumberState = (typeof STATES)[number];

const isOneOf: ReadonlySet<string> = new Set(STATES);
export const isNumberState = (state: string): state is NumberState => isOneOf.has(state);

export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** What may follow within a number; a state that is not in ENDS_NUMBER needs more. */
export const nextInNumber = (state: NumberState, byte: number): NumberState | undefined => {
  const digit = isDigit(byte);
  const exponent = byte === 0x65 || byte === 0x45;
  switch (state) {
    case "minus":
      return byte === 0x30 ? "zero" : digit ? "integer" : undefined;
    case "zero":
      return byte === 0x2e ? "point" : exponent ? "e" : undefined;
    case "integer":
      return digit ? "integer" : byte === 0x2e ? "point" : exponent ? "e" : undefined;
    case "point":
      return digit ? "fraction" : undefined;
    case "fraction":
      return digit ? "fraction" : exponent ? "e" : undefined;
    case "e":
      return digit ? "exponent" : byte === 0x2b || byte === 0x2d ? "sign" : undefined;
    case "sign":
    case "exponent":
      return digit ? "exponent" : undefined;
  }
};
/** Where a number may end. */
export const ENDS_NUMBER: ReadonlySet<string> = new Set<NumberState>([
  "zero",
  "integer",
  "fraction",
  "exponent",
]);
