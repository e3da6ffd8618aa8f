import { amountsIn } from "../amounts/index.ts";
import { datesIn } from "../dates.ts";
import { isWhenToSend } from "./date-cues.ts";
import { markedEnglish, unmarkedEnglish } from "./english-names.ts";
import { nameFrom } from "./korean-answers.ts";
import { destinationKorean, labelledKorean, markedKorean, unmarkedKorean } from "./korean-names.ts";
import { forMemoIn, memoIn, purposeIn } from "./memo.ts";
import { spelled } from "./spelling.ts";
import type { FoundTargets } from "./targets.ts";
import { type Span, type Token, tokensOf } from "./tokens.ts";

/** One transfer as the words of a message have it. All values are raw: the slots decide what they are worth. */
export type Raw = {
  readonly target?: string;
  readonly amount?: string;
  readonly memo?: string;
  readonly date?: string;
  /** Whether only its place in the sentence says that the target is one. */
  readonly guessed?: true;
};

/** What a message says. */
export type Reading = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly tasks: readonly Raw[];
  /** Whether a word was corrected as misspelt. The correction can be wrong: the word may be a name. */
  readonly respelled: boolean;
  /** Where it names people. */
  readonly named: readonly Pick<Span, "start" | "end">[];
};

/** One spelling for what looks alike: full-width letters, quotes, the slang 마넌. */
export function normalised(message: string): string {
  return message
    .normalize("NFKC")
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/마넌/g, "만원")
    .replace(/(?<=[가-힣])말고(?=\s|$)/g, " 말고")
    .replace(/\s+/g, " ")
    .trim();
}

const ACCOUNT =
  /(?<![\p{L}\p{N}-])(?:\d{2,6}(?:-\d{2,8}){1,3}|\d{10,16})(?![\d-]|\s?(?:원|won|krw|달러|dollars?))/giu;

type Item =
  | { readonly kind: "amount"; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: "date"; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: "memo"; readonly start: number; readonly end: number; readonly text: string }
  | ({ readonly kind: "targets" } & FoundTargets);

/** More transfers than that do not fit into one message that anybody means. */
const MOST_PURPOSES = 20;

export function read(message: string, now: Date): Reading {
  const plain = normalised(message);
  const right = spelled(plain);
  const text = uncounted(right);
  const spans: Span[] = [];
  const items: Item[] = [];
  let rest = text;
  // What was recognised is blanked, so that nothing of it is read as something else.
  const take = (kind: Span["kind"], start: number, end: number): void => {
    spans.push({ kind, start, end });
    rest = rest.slice(0, start) + "\u0000".repeat(end - start) + rest.slice(end);
  };

  const memo = memoIn(rest);
  if (memo) {
    take("memo", memo.start, memo.end);
    items.push({ kind: "memo", ...memo });
  }
  for (const date of datesIn(rest, now)) {
    take("date", date.start, date.end);
    items.push({ kind: "date", start: date.start, end: date.end, text: date.iso ?? "" });
  }
  for (const match of rest.matchAll(ACCOUNT)) {
    if (/^\d+$/.test(match[0]) && isAmount(match[0], rest, match.index)) continue;
    take("account", match.index, match.index + match[0].length);
  }
  for (const { start, end } of amountsIn(rest)) {
    take("amount", start, end);
    items.push({ kind: "amount", start, end, text: text.slice(start, end) });
  }
  for (let count = memo ? MOST_PURPOSES : 0; count < MOST_PURPOSES; count++) {
    const purpose = purposeOf(rest);
    if (purpose === undefined) break;
    take("memo", purpose.start, purpose.end);
    items.push({ kind: "memo", ...purpose });
  }
  const tokens = tokensOf(text, spans);
  for (const targets of targetsOf(tokens)) items.push({ kind: "targets", ...targets });
  const others = items.filter(({ kind }) => kind !== "date");
  const said = items.filter((item) => item.kind !== "date" || isWhenToSend(item, others, rest));
  said.sort((a, b) => a.start - b.start);
  const named = said.filter(({ kind }) => kind === "targets");
  return { text, tokens, tasks: tasksOf(corrected(said, text), text), named, respelled: right !== plain };
}

const COUNTED =
  "(?:이렇게\\s)?(?:(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열|\\d{1,2})\\s?(?:명|사람|분)|둘|셋|넷)(?:\\s?(?:모두|다))?(에게|한테|께)";
const COUNT_BEHIND = new RegExp(`(?<=[\\p{L}])\\s${COUNTED}`, "gu");
const COUNT_FIRST = new RegExp(`^${COUNTED}는?\\s`, "u");

/** Without how many there are: "민수, 영희 두 명에게" is "민수, 영희에게". */
function uncounted(text: string): string {
  return text.replace(COUNT_BEHIND, "$1").replace(COUNT_FIRST, "");
}

function purposeOf(text: string) {
  return purposeIn(text) ?? forMemoIn(text);
}

/** A long run of digits is an account unless it is round: nobody's account is 10000000000. */
function isAmount(digits: string, text: string, at: number): boolean {
  return /0{6,}$/.test(digits) || /[₩$€£¥]\s?$/.test(text.slice(0, at));
}

function targetsOf(tokens: readonly Token[]): FoundTargets[] {
  const marked = withoutOverlaps([
    ...labelledKorean(tokens),
    ...markedKorean(tokens),
    ...markedEnglish(tokens),
    ...changedKorean(tokens),
  ]);
  const all = marked.length > 0 ? [...marked] : destinationKorean(tokens);
  // Names without a particle count only where the clause of an amount has nobody else.
  let from = 0;
  tokens.forEach((token, at) => {
    if (token.kind !== "amount") return;
    const taken = Math.max(from, ...all.filter(({ end }) => end <= token.start).map(({ end }) => end));
    const hasOwn = all.some(({ start, end }) => start >= from && end <= token.start);
    const found = hasOwn
      ? undefined
      : (unmarkedKorean(tokens, at, taken) ?? unmarkedEnglish(tokens, at, taken));
    if (found) all.push(found);
    from = token.end;
  });
  return withoutOverlaps(all);
}

/** "영희로 바꿔줘", "민수 말고 영희". */
function changedKorean(tokens: readonly Token[]): FoundTargets[] {
  return tokens.flatMap((token, at) => {
    const changes = /^(?:바꿔|바꾸|변경|수정|고쳐|정정)/.test(tokens[at + 1]?.text ?? "");
    const named = changes && /(?:으로|로)$/.test(token.text) ? nameFrom(tokens, at) : undefined;
    const instead = /^(?:말고|아니라|아니고|대신에?)$/.test(token.text)
      ? nameFrom(tokens, at + 1)
      : undefined;
    return [named, instead].filter((one) => one !== undefined);
  });
}

function withoutOverlaps(found: readonly FoundTargets[]): FoundTargets[] {
  const kept: FoundTargets[] = [];
  for (const one of found)
    if (!kept.some((other) => one.start < other.end && other.start < one.end)) kept.push(one);
  return kept.sort((a, b) => a.start - b.start);
}

/** What stands between two readings of the same thing where the second one takes the place of the first. */
const TAKES_BACK =
  /(?:^|[\s,.])(?:아니(?:다|야|지)?|아 ?니|아니라|아니고|말고|대신|정정|no|nope|actually|i mean|i meant|sorry|rather|wait|make (?:it|that)|scratch that|or rather)(?=$|[\s,.])|^\s?(?:이|가)?\s?(?:말고|아니라|아니고|아니)/i;
const OR = /^[\s,]*(?:or|아니면|또는|혹은|이나|나)[\s,]*$/i;

/** Without what the same message takes back ("5만원 아니 3만원"), and with alternatives in one piece ("3만원이나 5만원"). */
function corrected(items: readonly Item[], text: string): Item[] {
  const kept: Item[] = [];
  for (const item of items) {
    const before = kept.findLastIndex(({ kind }) => kind === item.kind);
    const earlier = kept[before];
    const between = earlier === undefined ? "" : text.slice(earlier.end, item.start);
    if (earlier === undefined || !TAKES_BACK.test(between)) {
      if (earlier?.kind === "amount" && item.kind === "amount" && OR.test(between)) {
        kept[before] = { ...earlier, end: item.end, text: text.slice(earlier.start, item.end) };
      } else kept.push(item);
      continue;
    }
    kept.splice(before, 1);
    kept.push(item);
  }
  // "not 50,000 but 30,000", "not 50,000"
  return kept.filter(
    ({ kind, start }) => kind !== "amount" || !/(?:\bnot|\binstead of|isn't)\s$/i.test(text.slice(0, start)),
  );
}

type Group = { targets?: Extract<Item, { kind: "targets" }>; amount?: string; memo?: string; date?: string };

export const EACH =
  /(?:각각|각자|각\s|씩|\beach\b|\bapiece\b|\bper person\b|\bboth\b|모두에게|똑같이|the same (?:amount )?to)/i;

/** Groups what stands together: "A한테 만원, B랑 C한테 2만원씩" are three transfers. */
function tasksOf(items: readonly Item[], text: string): Raw[] {
  const groups: Group[] = [];
  let group: Group = {};
  const core = items.filter(({ kind }) => kind === "targets" || kind === "amount");
  for (const item of core) {
    const has = item.kind === "targets" ? group.targets !== undefined : group.amount !== undefined;
    if (has) {
      groups.push(group);
      group = {};
    }
    if (item.kind === "targets") group.targets = item;
    else group.amount = item.text;
  }
  groups.push(group);
  shareAmounts(groups, EACH.test(text));
  for (const item of items) attach(item, items, groups, text);
  return groups.flatMap(rawOf);
}

/** "to A and to B, 10,000 each": who has no amount gets the one that all have. */
function shareAmounts(groups: readonly Group[], each: boolean): void {
  const [amount, another] = groups.map((group) => group.amount).filter((one) => one !== undefined);
  if (!each || amount === undefined || another !== undefined) return;
  for (const group of groups) if (group.targets !== undefined) group.amount ??= amount;
}

/**
 * A memo or a date belongs to the transfer that it stands in: behind a comma or an "and", to the next one. The only one, before all of
 * them, belongs to all.
 */
function attach(item: Item, items: readonly Item[], groups: readonly Group[], text: string): void {
  if (item.kind !== "memo" && item.kind !== "date") return;
  const before = items.findLast(
    ({ kind, start }) => (kind === "targets" || kind === "amount") && start < item.start,
  );
  const alone = items.filter(({ kind }) => kind === item.kind).length === 1;
  if (before === undefined && alone) {
    for (const group of groups) group[item.kind] = item.text;
    return;
  }
  const at = groups.findLastIndex((group) => firstStart(group, items) < item.start);
  const isNext =
    before !== undefined && /[,;]|\s(?:and|then)\s|그리고|고\s/i.test(text.slice(before.end, item.start));
  const next = isNext ? groups[at + 1] : undefined;
  const owner = next ?? groups[Math.max(0, at)];
  if (owner) owner[item.kind] = item.text;
}

function firstStart({ targets, amount }: Group, items: readonly Item[]): number {
  const own = items.find((item) => item.kind === "amount" && item.text === amount);
  return Math.min(targets?.start ?? Number.POSITIVE_INFINITY, own?.start ?? Number.POSITIVE_INFINITY);
}

function rawOf({ targets, ...rest }: Group): Raw[] {
  if (targets === undefined) return Object.values(rest).some((value) => value !== undefined) ? [rest] : [];
  if (targets.alternatives) return [{ ...rest, target: targets.names.join(" | ") }];
  const guessed = targets.marked ? {} : ({ guessed: true } as const);
  return targets.names.map((target) => ({ ...rest, ...guessed, target }));
}
