import { hashWord } from "./hash.ts";
import { KIND, type Tokens } from "./tokens.ts";

/** A denial reaches this many tokens far, if its clause does not end before. */
const REACH = 8;
const REACH_BACK = 3;

/** "without reasons", "skip the drivers": these deny what follows wherever they stand. */
const ALWAYS = words(
  "without skip skipping omit omitting leave spare save nevermind forget ignore neednt hold",
);
/** Of these, the ones that say what not to do; "without tax" says how. */
const SKIPS = words("skip skipping omit omitting leave spare nevermind hold");
/** "don't explain", "not why", "no reasons": these do so where a clause begins, or after one of OPENERS. */
const AT_START = words("dont not no never nor");
const OPENERS = words("but and just so please then or i we you though although yet let lets do need want");
/** "no more than 5 %" is a limit, "I don't understand" asks. */
const HARMLESS = words(
  "more less higher lower later change changes idea understand know get see trust believe like",
);
/** "leave out", "save me", "forget about": without their second word they deny nothing. */
const NEEDS_SECOND = new Map([
  [hashWord("leave"), words("out away aside")],
  [hashWord("hold"), words("off")],
  [hashWord("spare"), words("me us")],
  [hashWord("save"), words("me us the")],
]);
/** "rather than", "instead of". */
const PAIRS = new Map([
  [hashWord("rather"), hashWord("than")],
  [hashWord("instead"), hashWord("of")],
]);
/** These end what a denial reaches. */
const ENDS = words("but just only then instead though simply merely");
/** "explanation not needed", "reasons later", "설명 말고", "설명은 나중에": these deny what stands before them. */
const BACKWARD = words(
  "unnecessary later 말고 빼고 없이 제외하고 말아줘 마세요 말아주세요 필요없어 필요없고 필요없음 됐고 됐어 됐어요 됐으니 됐으니까 괜찮고 괜찮으니 " +
    "생략 생략하고 생략해도 나중에 다음에 이따가 미루고 보류하고 보류해 보류해줘 보류해요 보류합시다 보류하자 보류할게 미뤄 미뤄줘 미루자 않아도 없어도",
);
/** "robustness can wait", "for another day", "안 해도": these pairs do so too. */
const BACKWARD_PAIRS = pairs({
  wait: "can could may might should must will to",
  time: "another other",
  day: "another other",
  해도: "안",
});
/** "no later than Monday" is a date. */
const NO_LATER = words("no not sooner");
const NEEDED = words("needed necessary required wanted 없고 없어 없어요 없음 없습니다 없으니 없으니까");
const NOT = words("not isnt arent 필요 필요는 필요도");

/** A token that is as good as not said. */
export const LEFT_OUT = 2;

/** All words that begin a denial or follow what is denied: other tokens need one look-up only. */
const SIGNALS = new Set([
  ...ALWAYS,
  ...AT_START,
  ...PAIRS.keys(),
  ...BACKWARD,
  ...BACKWARD_PAIRS.keys(),
  ...NOT,
  hashWord("do"),
  hashWord("before"),
]);

function words(list: string): ReadonlySet<number> {
  return new Set(list.split(" ").map(hashWord));
}

/** By the second word of a pair, the first ones. */
function pairs(lists: Readonly<Record<string, string>>): ReadonlyMap<number, ReadonlySet<number>> {
  return new Map(Object.entries(lists).map(([second, firsts]) => [hashWord(second), words(firsts)]));
}

/**
 * Marks the tokens that a message says it does not want: "check, but don't explain" marks "explain". What is denied still counts as
 * having been said, but as something else.
 */
export function markDenied(tokens: Tokens): void {
  const { hash, clause, count } = tokens;
  for (let at = 0; at < count; at++) {
    const word = hash[at] ?? 0;
    if (!SIGNALS.has(word)) continue;
    const next = hash[at + 1] ?? 0;
    if (at + 1 < count && clause[at] === clause[at + 1]) {
      if (deniesAhead(tokens, at, word, next)) {
        markAhead(tokens, at + 1);
        if (SKIPS.has(word) || next === NEED) leaveOutAhead(tokens, at);
        continue;
      }
      if (NOT.has(word) && NEEDED.has(next)) markBack(tokens, at);
    }
    if (word === BEFORE && (at === 0 || clause[at] !== clause[at - 1])) leaveOutAhead(tokens, at);
    if (deniesBefore(word, at > 0 && clause[at] === clause[at - 1] ? (hash[at - 1] ?? 0) : 0)) {
      markBack(tokens, at);
      leaveOutBack(tokens, at);
    }
  }
}

/** A clause that does nothing but deny says nothing of what the others ask for: "check NA; the explanation can wait". */
function leaveOutBack(tokens: Tokens, at: number): void {
  const [from, to] = clauseAround(tokens, at);
  // A verb may follow in Korean: 설명은 나중에 듣고.
  if (at - from <= REACH_BACK && to - at <= 1) leaveOut(tokens, from, to);
}

/** "skip the tests", "no need to explain" and "before we publish" as clauses of their own. */
function leaveOutAhead(tokens: Tokens, at: number): void {
  const [from, to] = clauseAround(tokens, at);
  const { hash } = tokens;
  for (let i = from; i < at; i++) if (!OPENERS.has(hash[i] ?? 0)) return;
  for (let i = at + 1; i <= to; i++) if (ENDS.has(hash[i] ?? 0) || hash[i] === AND) return;
  if (to - at <= REACH) leaveOut(tokens, from, to);
}

function clauseAround({ clause, count }: Tokens, at: number): [from: number, to: number] {
  let [from, to] = [at, at];
  while (from > 0 && clause[from - 1] === clause[at]) from--;
  while (to + 1 < count && clause[to + 1] === clause[at]) to++;
  return [from, to];
}

function leaveOut({ denied, count }: Tokens, from: number, to: number): void {
  if (from > 0 || to + 1 < count) denied.fill(LEFT_OUT, from, to + 1);
}

function deniesBefore(word: number, before: number): boolean {
  return (BACKWARD.has(word) && !NO_LATER.has(before)) || (BACKWARD_PAIRS.get(word)?.has(before) ?? false);
}

function deniesAhead({ hash, clause }: Tokens, at: number, word: number, next: number): boolean {
  if (ALWAYS.has(word)) return NEEDS_SECOND.get(word)?.has(next) ?? true;
  const pair = PAIRS.get(word);
  if (pair !== undefined) return pair === next;
  if (HARMLESS.has(next)) return false;
  if (word === DO && next === NOT_WORD) return opens(hash, clause, at);
  return AT_START.has(word) && opens(hash, clause, at);
}

const DO = hashWord("do");
const NOT_WORD = hashWord("not");
const BEFORE = hashWord("before");
const NEED = hashWord("need");
const AND = hashWord("and");

function opens(hash: Int32Array, clause: Uint16Array, at: number): boolean {
  return at === 0 || clause[at] !== clause[at - 1] || OPENERS.has(hash[at - 1] ?? 0);
}

function markAhead({ hash, clause, denied, kind, count }: Tokens, from: number): void {
  for (let i = from; i < count && i < from + REACH && clause[i] === clause[from]; i++) {
    if (ENDS.has(hash[i] ?? 0)) return;
    if (kind[i] === KIND.word) denied[i] = 1;
  }
}

function markBack({ clause, denied, kind }: Tokens, before: number): void {
  for (let i = before - 1; i >= 0 && i >= before - REACH_BACK && clause[i] === clause[before]; i--)
    if (kind[i] === KIND.word) denied[i] = 1;
}
