/** Text as documents show it: `…` stands for anything left out; ids, hashes, times and durations are compared by their form. */

/** Parts that differ from run to run, and what takes their place. Longer forms come first. */
const FORMS: readonly (readonly [shown: RegExp, form: string])[] = [
  // What is left of an id or a hash that the document cuts.
  [/(?<![\w-])(?=[a-f]*\d)[0-9a-f]{2,}…/, "[\\w-]+"],
  [/eyJ[\w-]*(?:…|\.[\w-]+\.[\w-]+)/, "eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/, "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d(?= UTC)/, "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, "[0-9a-f-]{36}"],
  [/\b\d{13}-\d+\b/, "\\d{13}-\\d+"],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{12,}\b/, "[0-9a-f]{12,}"],
  [/\b\d[\d,.]*(?= ?(?:ms|s|seconds)\b)/, "\\d[\\d,.]*"],
  [/(?<=^id: )\d+/, "\\d+"],
  [/…/, "[\\s\\S]*"],
  [/\s+/, "\\s+"],
];
const ANY_FORM = new RegExp(FORMS.map(([shown]) => `(${shown.source})`).join("|"), "g");

export function sameText(wanted: string, got: string): boolean {
  return wanted === got || patternOf(wanted).test(got);
}

function patternOf(wanted: string): RegExp {
  let pattern = "";
  let after = 0;
  for (const found of wanted.matchAll(ANY_FORM)) {
    const which = found.slice(1).findIndex((group) => group !== undefined);
    pattern += escaped(wanted.slice(after, found.index)) + (FORMS[which]?.[1] ?? "");
    after = found.index + found[0].length;
  }
  return new RegExp(`^${pattern}${escaped(wanted.slice(after))}$`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
