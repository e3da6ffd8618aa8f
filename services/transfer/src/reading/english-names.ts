import { bare } from "./korean-name.ts";
import { EN_KIN, EN_STOP, isKoreanName } from "./lexicon.ts";
import type { FoundTargets } from "./targets.ts";
import type { Token } from "./tokens.ts";

const DETERMINER = /^(?:my|our|his|her|their|the)$/i;
const PARTICLE = /^(?:de|da|van|der|den|von|la|le|bin|al|del|di|dos|st\.?|jr\.?|sr\.?)$/i;
const SENDS =
  /^(?:send|sends|pay|give|wire|transfer|venmo|zelle|paypal|tip|lend|remit|gift|owe|shoot|slip|sending|paying|giving)$/i;
const PLACE = /^(?:account|accounts|acct|wallet|bank)$/i;
const MOST_WORDS = 5;

type Name = { readonly text: string; readonly next: number };

/** A name that begins at a token: "Minsu", "Kim Min-su", "my older sister", "Jane's account", an account number. */
export function nameAt(tokens: readonly Token[], at: number): Name | undefined {
  const bank = /^(?:account|acct)$/i.test(tokens[at]?.text ?? "") ? 1 : 0;
  const skipped = bank && /^(?:number|no\.?|#|:)$/i.test(tokens[at + bank]?.text ?? "") ? bank + 1 : bank;
  const token = tokens[at + skipped];
  if (token?.kind === "account") return { text: token.text, next: at + skipped + 1 };
  if (token?.kind === "word" && isKoreanName(bare(token.text)))
    return { text: bare(token.text), next: at + skipped + 1 };
  const words: string[] = [];
  const determined = DETERMINER.test(tokens[at]?.text ?? "");
  let next = at;
  if (determined) words.push(tokens[next++]?.text ?? "");
  for (; words.length < MOST_WORDS; next++) {
    const word = tokens[next];
    if (word?.kind !== "word" || !/\p{Script=Latin}/u.test(word.text)) break;
    const { text, owns } = owner(word.text);
    if (!belongs(text, words, determined)) break;
    words.push(text);
    if (owns) {
      next++;
      if (/^(?:bank|savings|checking)$/i.test(tokens[next]?.text ?? "")) next++;
      if (PLACE.test(tokens[next]?.text ?? "")) next++;
      break;
    }
  }
  const named = words.length > (determined ? 1 : 0);
  if (!named || (determined && /^the$/i.test(words[0] ?? "") && words.length < 2)) return undefined;
  const known = determined ? words.findLastIndex((word) => EN_KIN.test(word)) : -1;
  // "my friend Sarah" is Sarah.
  const name = known > 0 && isCapital(words[known + 1] ?? "") ? words.slice(known + 1) : words;
  return { text: untitled(name.join(" ").replace(/^the /i, "")), next };
}

const TITLE = /^(?:(?:mr|mrs|ms|mx|dr|prof)\b\.?|(?:miss|mister|madam|doctor|professor|sir)\b)\s*(?=\p{L})/iu;

/** "Prof. Dr. Lee" is Lee. */
function untitled(name: string): string {
  const rest = name.replace(TITLE, "").replace(/-(?:ssi|nim)$/i, "");
  return rest === name ? name : untitled(rest);
}

function owner(word: string): { readonly text: string; readonly owns: boolean } {
  const text = word.replace(/['’]s$/i, "");
  return { text, owns: text !== word };
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

/** Whether a word goes on with a name. Lower-case words do so for two words, or behind "my"; capitals until they end. */
function belongs(word: string, words: readonly string[], determined: boolean): boolean {
  if (PARTICLE.test(word) && words.length > 0) return true;
  if (word === "A" || word === "I") return words.length === 0 && word === "A";
  // "Will", "May", "April", "Grant": names where a capital does not come from the beginning of the sentence.
  const stop =
    EN_STOP.has(word.toLowerCase()) &&
    !(
      isCapital(word) &&
      /^(?:Will|May|April|June|Grant|Mark|Bill|Rose|Grace|Hope|Joy|Amber|Pat|Art|Rich|Sunny)$/.test(word)
    );
  if (determined)
    return (
      !stop || (words.length < 3 && /^(?:best|old|older|younger|little|big|new|first|second)$/i.test(word))
    );
  if (stop) return false;
  if (words.length === 0) return true;
  if (isCapital(words.at(-1) ?? "") && !isCapital(word)) return false;
  return isCapital(word) || words.length < 2;
}

type List = { readonly names: readonly string[]; readonly next: number; readonly alternatives: boolean };

/** "A", "A and B", "A, B and C", "A or B". */
function listAt(tokens: readonly Token[], at: number): List | undefined {
  const first = nameAt(tokens, at);
  if (first === undefined) return undefined;
  const names = [first.text];
  let next = first.next;
  let alternatives = false;
  for (;;) {
    let join = next;
    while (/^(?:,|and|&|plus|or|then)$/i.test(tokens[join]?.text ?? "")) {
      alternatives ||= /^or$/i.test(tokens[join]?.text ?? "") && nameAt(tokens, join + 1) !== undefined;
      join++;
    }
    if (join === next) break;
    const also = nameAt(tokens, join + (/^to$/i.test(tokens[join]?.text ?? "") ? 1 : 0));
    // "…, Jane 20,000" begins a transfer of its own.
    if (
      also === undefined ||
      (tokens[also.next]?.kind === "amount" && tokens[at - 1]?.text.toLowerCase() === "to")
    )
      break;
    if (/^(?:no|not|actually|sorry)$/i.test(tokens[join]?.text ?? "")) break;
    names.push(also.text);
    next = also.next;
  }
  return { names, next, alternatives };
}

/** The people that English words point at: "to Jane", "pay Bob $5", "recipient: Ann". */
export function markedEnglish(tokens: readonly Token[]): FoundTargets[] {
  const found: FoundTargets[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const begins = beginsName(tokens, at);
    const list = begins === undefined ? undefined : listAt(tokens, begins.at);
    const first = tokens[at];
    if (
      begins === undefined ||
      list === undefined ||
      first === undefined ||
      !begins.fits(tokens[list.next], list)
    )
      continue;
    const end = tokens[list.next - 1]?.end ?? first.end;
    if (!isRefused(tokens, at))
      found.push({
        start: first.start,
        end,
        names: list.names,
        alternatives: list.alternatives,
        marked: true,
      });
    at = list.next - 1;
  }
  return found;
}

/** "not to Jane", "instead of Jane". */
function isRefused(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text.toLowerCase() ?? "";
  return (
    before === "not" ||
    before === "isn't" ||
    (before === "of" && tokens[at - 2]?.text.toLowerCase() === "instead")
  );
}

type Begins = { readonly at: number; fits(next: Token | undefined, list: List): boolean };
const ANY = (): boolean => true;

function beginsName(tokens: readonly Token[], at: number): Begins | undefined {
  const word = tokens[at]?.text.toLowerCase() ?? "";
  const next = tokens[at + 1]?.text.toLowerCase() ?? "";
  if (word === "to" || word === "towards" || word === "toward" || word === "into" || word === "@")
    return {
      at:
        at +
        (next === ":" || next === "both"
          ? 2
          : next === "each" && /^of$/i.test(tokens[at + 2]?.text ?? "")
            ? 3
            : 1),
      fits: ANY,
    };
  if (SENDS.test(word)) {
    const from = /^(?:back|out)$/.test(next) ? at + 2 : at + 1;
    // "pay rent to Jane": what comes before "to" is no person.
    return { at: from, fits: (behind) => behind?.text.toLowerCase() !== "to" };
  }
  if (/^(?:recipient|payee|beneficiary|receiver|target)$/.test(word)) {
    const link = tokens
      .slice(at + 1, at + 4)
      .findIndex(({ text }) => !/^(?:is|to|:|=|should|be|name|-)$/i.test(text));
    return link < 1 ? undefined : { at: at + 1 + link, fits: ANY };
  }
  if (
    word === "for" &&
    DETERMINER.test(next) &&
    EN_KIN.test(tokens[at + 2]?.text.replace(/['’]s$/, "") ?? "")
  )
    return { at: at + 1, fits: ANY };
  return undefined;
}

const START = /^(?:,|;|\.|and|&|then|also|plus|:|-)$/i;

/** "Jane 20,000": a name at the beginning of a clause, right before an amount. Also "Jane's account". */
export function unmarkedEnglish(
  tokens: readonly Token[],
  amountAt: number,
  from: number,
): FoundTargets | undefined {
  for (let at = Math.max(0, amountAt - MOST_WORDS * 2); at < amountAt; at++) {
    const token = tokens[at];
    if (token === undefined || token.start < from || token.kind !== "word") continue;
    if (at > 0 && !START.test(tokens[at - 1]?.text ?? "") && (tokens[at - 1]?.end ?? 0) > from) continue;
    const list = listAt(tokens, at);
    const colon = /^[:,]$/.test(tokens[list?.next ?? -1]?.text ?? "") ? 1 : 0;
    if (list === undefined || list.next + colon !== amountAt) continue;
    const end = tokens[list.next - 1]?.end ?? token.end;
    return { start: token.start, end, names: list.names, alternatives: list.alternatives, marked: false };
  }
  return undefined;
}

/** The name that a short answer consists of: "Minsu", "it's my mom", "Jane Doe please". */
export function answeredEnglish(tokens: readonly Token[]): string | undefined {
  const words = tokens.filter(({ text }) => !/^[.!]$/.test(text));
  let at = 0;
  while (
    /^(?:,|it's|its|it|is|that's|that|would|be|should|the|recipient|oh|um|uh|hmm|well|just|to|for|i|mean|meant|think|name|send|actually|no|sorry|sry|oops|hey|hi|yo|pls|plz|ah|ugh|wait|rather|make|instead|ok|okay|please)$/i.test(
      words[at]?.text ?? "",
    )
  )
    at++;
  const name = nameAt(words, at);
  if (name === undefined) return undefined;
  const rest = words.slice(name.next);
  return rest.every(({ text }) =>
    /^(?:,|please|thanks|thank|you|instead|then|i|think|pls|again|rather|account)$/i.test(text),
  ) &&
    /\p{L}/u.test(name.text) &&
    !isBabble(name.text)
    ? name.text
    : undefined;
}

/** The names that an answer consists of: "Ann and Bob". */
export function answeredList(tokens: readonly Token[]): readonly string[] {
  const words = tokens.filter(({ text }) => !/^[.!]$/.test(text));
  const list = listAt(words, /^to$/i.test(words[0]?.text ?? "") ? 1 : 0);
  return list === undefined || list.alternatives || list.next < words.length ? [] : list.names;
}

/** No name: "lalala", "xqz". */
function isBabble(text: string): boolean {
  const word = text.replace(/\s/g, "");
  if (/^\p{Lu}$/u.test(word)) return false;
  return /^(.{1,5})\1+$/i.test(word) || (/^[a-z]+$/.test(word) && !/[aeiouy]/.test(word));
}
