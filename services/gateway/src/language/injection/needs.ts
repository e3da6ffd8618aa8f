/** A set of the signs that a concept string is made of, as bits. */
export type Signs = { low: number; high: number };

/** What a text needs for a pattern to match. Flat arrays of `low` and `high`, because they are read for each rule and message. */
export type Needs = {
  /** Sets of signs of which each text that matches has one each, whichever alternative it is. They rule out most patterns at once. */
  common: Int32Array;
  /** The same for each alternative; an empty set ends an alternative. */
  alternatives: Int32Array;
};

/** A group, a class, or a sign, and how often it comes. Patterns over concepts need no escapes. */
const ATOM = /(\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|[^\\])([?*+]|\{\d+(?:,\d*)?\})?/g;

const LETTERS = Array.from({ length: 26 }, (_, place) => String.fromCharCode(97 + place)).join("");
const BITS = new Uint8Array(128);
for (const [bit, sign] of [...`.|":12${LETTERS}${LETTERS.toUpperCase()}`].entries())
  BITS[sign.charCodeAt(0)] = bit;

export function signsOf(concepts: string): Signs {
  let low = 0;
  let high = 0;
  for (let at = 0; at < concepts.length; at += 1) {
    const bit = BITS[concepts.charCodeAt(at)] ?? 0;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  return { low, high };
}

/**
 * What a text must contain for a pattern over concepts to match at all. To test this is far cheaper than to run the pattern, and most texts
 * have few of the concepts that rules are about.
 */
export function needsOf(pattern: RegExp): Needs {
  const alternatives = alternativesOf(pattern.source).map((alternative) =>
    [...alternative.matchAll(ATOM)].flatMap(([, atom = "", count = ""]) => {
      const mayBeAbsent = /^(?:[?*]|\{0)/.test(count);
      const isAnySign = /^(?:\(|\[\^|[.^$]$)/.test(atom);
      return mayBeAbsent || isAnySign ? [] : [signsOf(atom.replace(/^\[|\]$/g, ""))];
    }),
  );
  return {
    common: flat(commonTo(alternatives)),
    alternatives: flat(alternatives.flatMap((sets) => [...sets, { low: 0, high: 0 }])),
  };
}

/** The union of what each alternative needs first, then second, and so on. */
function commonTo(alternatives: readonly (readonly Signs[])[]): Signs[] {
  if (alternatives.some((sets) => sets.length === 0)) return [];
  const longest = Math.max(...alternatives.map((sets) => sets.length));
  return Array.from({ length: longest }, (_, place) =>
    alternatives
      .map((sets) => sets[place] ?? sets[0] ?? { low: 0, high: 0 })
      .reduce((one, other) => ({ low: one.low | other.low, high: one.high | other.high })),
  );
}

function flat(sets: readonly Signs[]): Int32Array {
  return Int32Array.from(sets.flatMap(({ low, high }) => [low, high]));
}

/** Splits at each `|` that stands in no group and in no class. */
function alternativesOf(source: string): string[] {
  const alternatives = [""];
  for (const [whole, atom] of source.matchAll(ATOM)) {
    if (atom === "|") alternatives.push("");
    else alternatives.push(`${alternatives.pop() ?? ""}${whole}`);
  }
  return alternatives;
}

export function canMatch({ common, alternatives }: Needs, { low, high }: Signs): boolean {
  for (let at = 0; at < common.length; at += 2)
    if (((common[at] ?? 0) & low) === 0 && ((common[at + 1] ?? 0) & high) === 0) return false;
  let met = true;
  for (let at = 0; at < alternatives.length; at += 2) {
    const needLow = alternatives[at] ?? 0;
    const needHigh = alternatives[at + 1] ?? 0;
    if ((needLow | needHigh) === 0) {
      if (met) return true;
      met = true;
    } else if ((needLow & low) === 0 && (needHigh & high) === 0) met = false;
  }
  return false;
}
