import { pluralOf, type SlotDeclaration } from "../../language/index.ts";
import type { Measure, Sign } from "../../mesh/index.ts";
import type { Query } from "./query.ts";
import { PARTICLES } from "./words.ts";

/** The words with which a flow's measures, and what they are of, are asked for. */
export type Vocabulary = {
  readonly measures: ReadonlyMap<string, Measure>;
  /** Whether a text names a measure. */
  isNamedIn: (text: string) => boolean;
  /** Names a text has of measures, each replaced by a mark; `several`: of more than one. */
  find: (text: string) => {
    readonly left: string;
    readonly measure?: Measure;
    readonly where?: NonNullable<Query["where"]>;
    readonly several: boolean;
  };
  /** What two proposals are compared by, where the question does not say. */
  readonly compared: Measure | undefined;
  /** Whether a word is a noun of what values are of: "items". */
  isThing: (word: string) => boolean;
  /** Whether a text has such a noun. */
  isOfThings: (text: string) => boolean;
  /** "By tier", "per item", 품목별. */
  readonly grouping: RegExp;
  /** The slot that such a phrase names. */
  slotOf: (phrase: string) => string | undefined;
  /** Slots of what has names of its own: items, and not their tiers. */
  readonly entities: ReadonlySet<string>;
  /** The slot that a question wants one or some of: "which item …". */
  thingIn: (text: string) => string | undefined;
  /** Whether several are asked for. */
  isPlural: (text: string) => boolean;
};

const MARK = "◆";
const HANGUL = /\p{Script=Hangul}/u;

const WHERE: Readonly<Record<Sign, NonNullable<Query["where"]>>> = {
  negative: { is: "<", value: 0 },
  positive: { is: ">", value: 0 },
  zero: { is: "=", value: 0 },
  nonzero: { is: "!=", value: 0 },
};

const escaped = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", "\\s+");
const longestFirst = (one: string, other: string): number => other.length - one.length;

/**
 * Behind a word in Hangul there may be particles. What may not follow the others stands once behind all of them: with each, the classes of
 * Unicode make a pattern that takes 100 ms to compile.
 */
const wordPattern = (phrases: readonly string[], flags: string): RegExp => {
  const inOrder = phrases.toSorted(longestFirst);
  const anyOf = (some: readonly string[]): string => some.map(escaped).join("|") || "(?!)";
  const hangul = anyOf(inOrder.filter((one) => HANGUL.test(one)));
  const others = anyOf(inOrder.filter((one) => !HANGUL.test(one)));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${hangul}|(?:${others})(?![\\p{L}\\p{N}]))`, flags);
};

/** @param slots those that tell values apart, by which they can be grouped */
export function measureVocabulary(
  declared: readonly Measure[],
  slots: readonly SlotDeclaration[],
): Vocabulary {
  const measures = new Map(declared.map((measure) => [measure.name, measure]));
  const names = declared.flatMap((measure) => [
    ...measure.nouns
      .flatMap((noun) => [noun, pluralOf(noun)])
      .map((phrase) => ({ phrase, measure, where: undefined })),
    ...measure.phrases.flatMap(({ sign, phrases }) =>
      phrases.map((phrase) => ({ phrase, measure, where: WHERE[sign] })),
    ),
  ]);
  const byPhrase = new Map(names.map((name) => [name.phrase.toLowerCase(), name]));
  const named = wordPattern([...byPhrase.keys()], "giu");
  const anyName = new RegExp(named.source, "iu");
  const things = slots.flatMap(({ name, nouns }) =>
    nouns.map((noun) => ({ slot: name, noun: noun.toLowerCase() })),
  );
  const slotByNoun = new Map(
    things.flatMap(
      ({ slot, noun }) =>
        [
          [noun, slot],
          [pluralOf(noun), slot],
        ] as const,
    ),
  );
  const nouns = [...slotByNoun.keys()];
  const anyThing = wordPattern(nouns, "iu");
  const english =
    nouns
      .filter((noun) => !HANGUL.test(noun))
      .toSorted(longestFirst)
      .map(escaped)
      .join("|") || "(?!)";
  const korean =
    nouns
      .filter((noun) => HANGUL.test(noun))
      .toSorted(longestFirst)
      .map(escaped)
      .join("|") || "(?!)";
  const wanted = new RegExp(
    `(?<!\\p{L})(?:which|what)\\s+(?:of\\s+(?:the|our|my)\\s+)?(${english})(?!\\p{L})|(?<!\\p{L})(${korean})`,
    "iu",
  );
  const singular = [...new Set([...things.map(({ noun }) => noun), ...declared.flatMap((one) => one.nouns)])]
    .filter((noun) => !HANGUL.test(noun))
    .map(escaped);
  const one = new RegExp(
    `(?<!\\p{L})(?:which|what)(?:'s|\\s+(?:one|is|was|(?:single\\s+)?(?:${singular.join("|") || "(?!)"})))(?!\\p{L})`,
    "iu",
  );
  const slotOf = (word: string): string | undefined =>
    slotByNoun.get(word.toLowerCase()) ?? slotByNoun.get(word.toLowerCase().replace(PARTICLES, ""));
  const dependsOn = (measure: Measure, other: Measure): boolean =>
    [measure.derived?.of ?? []].flat().some((name) => {
      const operand = measures.get(name);
      return operand !== undefined && (operand === other || dependsOn(operand, other));
    });
  return {
    measures,
    isNamedIn: (text) => anyName.test(text),
    find(text) {
      const found = new Set<Measure>();
      let where: Query["where"];
      const left = text.replace(named, (phrase) => {
        const name = byPhrase.get(phrase.toLowerCase().replace(/\s+/g, " "));
        if (name) found.add(name.measure);
        where ??= name?.where;
        return ` ${MARK} `;
      });
      const [measure, ...others] = [...found].filter(
        (one) => ![...found].some((other) => dependsOn(other, one)),
      );
      return {
        left,
        ...(measure ? { measure } : {}),
        ...(where ? { where } : {}),
        several: others.length > 0,
      };
    },
    compared: declared.find(
      ({ before, from }) => before.length > 0 && from.some(({ step }) => step !== undefined),
    ),
    entities: new Set(slots.filter(({ kind }) => kind === "entity").map(({ name }) => name)),
    isThing: (word) => slotOf(word) !== undefined,
    isOfThings: (text) => anyThing.test(text),
    grouping: new RegExp(
      `(?<!\\p{L})(?:by|per|for each|for every)\\s+(?:${english})(?!\\p{L})|(?:${korean})별(?:로)?`,
      "iu",
    ),
    slotOf: (phrase) =>
      slotOf(
        phrase
          .split(/\s+/)
          .at(-1)
          ?.replace(/별(?:로)?$/u, "") ?? "",
      ),
    thingIn(text) {
      const found = wanted.exec(text);
      return slotOf(found?.[1] ?? found?.[2] ?? "");
    },
    isPlural: (text) => (HANGUL.test(text) ? /들(?:은|이|을|의)?(?:\s|$|[?.])/u.test(text) : !one.test(text)),
  };
}
