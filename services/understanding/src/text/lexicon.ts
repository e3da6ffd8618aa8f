import type { SlotDeclaration, SlotDeclarations } from "../catalogue/declarations.ts";
import { AMOUNT_WORDS, ROLES } from "./amount-words.ts";
import { GENERIC_WORDS, MEANS } from "./generic-words.ts";
import { KOREAN_NUMERAL } from "./numerals.ts";
import { withShortNames } from "./short-names.ts";
import { type CutHangul, type IsName, plainText, type Token, tokenize } from "./tokens.ts";

/** What a phrase of a domain is. */
export type Sense =
  | { is: "noun"; slot: SlotDeclaration }
  | { is: "cue"; slot: SlotDeclaration }
  | { is: "value"; slot: SlotDeclaration; value: string; ordinary: boolean }
  | { is: "amount"; slot: SlotDeclaration; amount: number }
  | { is: "unsupported" | "neutral" | "decoy" };

/** What a phrase means: bits of {@link MEANS} and of {@link ROLES}, and senses in the domain. */
export type Entry = { means: number; roles: number; senses: readonly Sense[] };

type OpenEntry = Entry & { senses: Sense[] };

/** A word of phrases; absent `next`: none of them goes on. */
type Node = { entry: OpenEntry | undefined; next: Map<string, Node> | undefined };

/** All phrases that a reader knows. */
export type Lexicon = {
  root: Node;
  cut: CutHangul;
  /** Whether a word has a meaning by itself, other than a role beside amounts. */
  has(word: string): boolean;
  /** What a word means by itself: bits of {@link MEANS}. */
  meansOf(word: string): number;
};

/** Makes the lexicon of a flow. */
export function compileLexicon({ slots, words }: SlotDeclarations): Lexicon {
  const phrases = new Map<string, OpenEntry>();
  const entryOf = (phrase: string) => {
    const key = plainText(phrase).toLowerCase().trim();
    const entry = phrases.get(key) ?? { means: 0, roles: 0, senses: [] };
    phrases.set(key, entry);
    return entry;
  };
  const addSense = (list: readonly string[], sense: (phrase: string) => Sense, plural = false): void => {
    for (const phrase of list) {
      for (const form of plural ? [phrase, pluralOf(phrase)] : [phrase])
        entryOf(form).senses.push(sense(form));
    }
  };
  for (const [meaning, list] of GENERIC_WORDS) {
    for (const phrase of list) entryOf(phrase).means |= MEANS[meaning];
  }
  for (const [role, list] of AMOUNT_WORDS) {
    for (const phrase of list) entryOf(phrase).roles |= ROLES[role];
  }
  for (const slot of slots) {
    addSense(slot.nouns, () => ({ is: "noun", slot }), true);
    addSense(slot.cues, () => ({ is: "cue", slot }));
    for (const [value, declared] of Object.entries(slot.values)) {
      const synonyms = withShortNames(value, declared);
      const said = [value.toLowerCase(), ...synonyms];
      // "Next weeks plan": the apostrophe is often left out.
      const forms = new Set([...said, ...said.filter((one) => one.includes(" ")).map(pluralOf)]);
      const ordinary = new Set(slot.ordinary);
      addSense([...forms], (phrase) => ({ is: "value", slot, value, ordinary: ordinary.has(phrase) }));
    }
    for (const [phrase, amount] of Object.entries(slot.phrases)) {
      addSense([phrase], () => ({ is: "amount", slot, amount }));
    }
  }
  addSense(words.unsupported, () => ({ is: "unsupported" }), true);
  addSense(words.neutral, () => ({ is: "neutral" }));
  addSense(words.decoys, () => ({ is: "decoy" }));

  const isValue = (word: string): boolean =>
    phrases.get(word)?.senses.some(({ is }) => is === "value") ?? false;
  const cut = hangulCutter(phrases.keys(), isValue);
  const first = new Map<string, Node>();
  const root: Node = { entry: undefined, next: first };
  for (const [phrase, entry] of phrases) {
    let node = root;
    for (const { norm } of phrase === "\n" ? [{ norm: "\n" }] : tokenize(phrase, cut)) {
      node.next ??= new Map();
      const next = node.next.get(norm) ?? { entry: undefined, next: undefined };
      node.next.set(norm, next);
      node = next;
    }
    // Phrases that differ in their marks alone are one.
    if (node.entry) {
      node.entry.means |= entry.means;
      node.entry.roles |= entry.roles;
      node.entry.senses.push(...entry.senses);
    } else node.entry = entry;
  }
  return {
    root,
    cut,
    has: (word) => {
      const entry = first.get(word)?.entry;
      return entry !== undefined && (entry.means !== 0 || entry.senses.length > 0);
    },
    meansOf: (word) => first.get(word)?.entry?.means ?? 0,
  };
}

/** @returns the longest phrase that begins at a token */
export function longestPhrase(
  { root }: Lexicon,
  tokens: readonly Token[],
  at: number,
): { entry: Entry; length: number } | undefined {
  let entry: Entry | undefined;
  let length = 0;
  let node: Node | undefined = root;
  for (let i = at; node?.next && i < tokens.length; i++) {
    node = node.next.get(tokens[i]?.norm ?? "");
    if (!node?.entry) continue;
    entry = node.entry;
    length = i + 1 - at;
  }
  return entry && { entry, length };
}

export function pluralOf(phrase: string): string {
  if (!/[a-z]$/.test(phrase) || phrase.endsWith("s")) return phrase;
  if (/[^aeiou]y$/.test(phrase)) return `${phrase.slice(0, -1)}ies`;
  return /(?:x|z|ch|sh)$/.test(phrase) ? `${phrase}es` : `${phrase}s`;
}

/** Endings of plurals, and what the singular may have in their place; the most telling first. */
const PLURALS: readonly (readonly [ending: RegExp, singulars: readonly string[]])[] = [
  [/ies$/, ["y", "ie"]],
  [/ves$/, ["f", "fe", "ve"]],
  [/(?<=s|x|z|ch|sh|o)es$/, ["", "e"]],
  [/(?<!s)s$/, [""]],
];

/** What the singular of a word may be: "batteries", "knives", "boxes". */
export function singularsOf(word: string): readonly string[] {
  if (word.length <= 3) return [];
  const plural = PLURALS.find(([ending]) => ending.test(word));
  return plural ? plural[1].map((singular) => word.replace(plural[0], singular)) : [];
}

/**
 * Korean writes particles and endings without a space, so a run is cut at the words that the lexicon has, longest first. A single
 * syllable is part of many words: it counts only behind a known word, a number or a name, or by itself.
 */
function hangulCutter(phrases: Iterable<string>, isValue: (word: string) => boolean): CutHangul {
  const known = new Set<string>();
  const pairs = new Set<string>();
  let longest = 1;
  for (const phrase of phrases) {
    for (const word of phrase.match(/[\uac00-\ud7a3]+/g) ?? []) {
      known.add(word);
      longest = Math.max(longest, word.length);
    }
    for (const [pair] of phrase.matchAll(/[\uac00-\ud7a3]+ [\uac00-\ud7a3]$/g)) pairs.add(pair);
  }
  // 달은 of "이번 달은": behind what it makes a phrase with, one syllable is a word.
  const isSecond = (before: string | undefined, run: string): boolean =>
    before !== undefined && pairs.has(`${before} ${run.charAt(0)}`) && PARTICLES.test(run.slice(1));
  // 빵만, 빵류는.
  const isShort = (run: string): boolean =>
    DEPENDENT.test(run) || (BEHIND_VALUE.test(run.slice(1)) && isValue(run.charAt(0)));
  return (run, afterOther, isName, before) => {
    const name = isName ? nameLength(run, isName) : 0;
    const words: string[] = name > 0 ? [run.slice(0, name)] : [];
    let unknown = "";
    let anchored = afterOther || name > 0 || isSecond(before, run);
    for (let at = name; at < run.length; ) {
      let length = Math.min(longest, run.length - at);
      const allowed = (size: number): boolean =>
        known.has(run.slice(at, at + size)) &&
        (size > 1 || (unknown === "" && (anchored || run.length === 1 || isShort(run))));
      while (length > 0 && !allowed(length)) length--;
      const numeral =
        length > 0 || unknown !== ""
          ? 0
          : anchored && run.charAt(at) === KIND_OF
            ? 1
            : numeralLength(run.slice(at));
      if (length === 0 && numeral === 0) {
        unknown += run.charAt(at);
        at++;
        continue;
      }
      if (unknown !== "") words.push(unknown);
      unknown = "";
      words.push(run.slice(at, at + (length || numeral)));
      at += length || numeral;
      anchored = true;
    }
    if (unknown !== "") words.push(unknown);
    return words;
  };
}

/** Syllables of a name that are looked up. */
const LONGEST_NAME = 12;
/** Particles behind a name, perhaps with what kind of thing it names, and nothing else: 밸브만, 모터들은, 공항점에서도. */
const PARTICLES =
  /^(?:점|지점|매장|팀|사|부|과|국|실|동|관|호|조|반|측|쪽|류)?들?(?:만|은|는|이|가|을|를|도|의|에|로|으로|와|과|랑|이랑|하고|까지|부터|에서|에게|한테|이나|나|요|이요)?(?:만|은|는|도|요|의)?$/;

const KIND = /^(?:점|지점|매장|팀|측|쪽|류)/;

/** A name of the inputs with a particle: the syllables of the name. */
function nameLength(run: string, isName: IsName): number {
  for (let length = Math.min(LONGEST_NAME, run.length); length > 1; length--)
    if (PARTICLES.test(run.slice(length)) && isName(run.slice(0, length))) return length;
  // One syllable is part of many words: what kind of thing it names has to stand behind it.
  const [first, rest] = [run.slice(0, 1), run.slice(1)];
  return KIND.test(rest) && PARTICLES.test(rest) && isName(first) ? 1 : 0;
}

/** A noun that only counts or stands for another one, with its particle: 개만 of "세 개만", 것만 of "위반하는 것만". */
const DEPENDENT =
  /^(?:개|명|배|것|거|건|할|푼)(?:만|을|를|은|는|도|이|가|의|로|으로|까지|씩|면|이면|정도)?(?:요|이요|만요|는요|예요|입니다)?$/;

/** Behind a value: things of that kind, 빵류만. */
const KIND_OF = "류";

/** What stands behind a value of one syllable and behind hardly any other syllable. */
const BEHIND_VALUE = /^(?:류|점|팀)?(?:만|은|는|을|를|과|와|이랑|랑|하고)?(?:요|은|는)?$/;

/** Numerals in front of a unit, such as 십오 of 십오퍼센트. */
function numeralLength(run: string): number {
  if (KOREAN_NUMERAL.test(run)) return run.length;
  const [, beforeUnit] =
    /^([영일이삼사오육칠팔구십백천만]+)(?=퍼센트|퍼|프로|원|달러|불|유로|개|시간|건|할)/.exec(run) ?? [];
  const [, beforeParticle] =
    /^([일이삼사오육칠팔구]?[십백천만][영일이삼사오육칠팔구십백천만]*)(?=으로|로|까지|넘|이상|이하|미만|을|를|은|는|도|씩|쯤|정도)/.exec(
      run,
    ) ?? [];
  return (beforeUnit ?? (beforeParticle && beforeParticle.length > 1 ? beforeParticle : ""))?.length ?? 0;
}
