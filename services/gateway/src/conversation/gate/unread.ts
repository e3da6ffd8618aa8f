import { askingWords, type SlotReading } from "../../language/index.ts";
import type { Orders } from "../../mesh/index.ts";
import { beginsOrder } from "./english.ts";
import { formsOf } from "./order-forms.ts";

/** What an order may have beside what it is done to. */
const BESIDE = new Set(
  (
    "asap today immediately directly straight straightaway right away ahead already finally exactly then quickly thing things result results version " +
    "draft lot new revised suggested recommended proposed agreed proposal proposals list lists publish approval approvals sign off signoff book go-ahead " +
    "바로 빨리 당장 즉시 꼭 얼른 어서 모두 전부 다 먼저 오늘 그냥 이거 이걸 결과 제안 승인 확정 진행 새 최적 까지 표 개 들 걸로 대로 응 이대로 그대로"
  ).split(" "),
);

/** From here on, something is narrowed or widened: "for the pump", "only the pump". */
const SCOPE =
  /(?<!\p{L})(?:for|of|on|only|just|except|excepting|but|excluding|without|besides|apart from)(?!\p{L})/giu;
/** Words behind one of these that may belong to it. */
const SCOPE_WORDS = 4;
/** Between clauses and sentences of what was left unread. */
const ENDS = /[.!?;。！？\n]/u;
const JOINTS = /[,:()–—]|(?<!\p{L})(?:and|then|plus)(?!\p{L})/giu;
/** "…, the boss agreed" and "…, and who approved it?": nothing that is ordered. */
const REMARK =
  /^(?:who|what|when|where|why|how|which)\b|\b(?:is|are|was|were|has|have|\p{L}+ed)\s*$|\b(?:is|are|was|were|has|have|said|says)\s/u;

const HANGUL = /\p{Script=Hangul}/u;
/** With these, a Korean word is what an order is about: 밸브만, 밸브를, 밸브와. */
const PARTICLE = /(?:만|을|를|와|과|랑|이랑|하고|도|의)$/u;
const NARROWS = /^(?:만|을|를|와|과|랑|이랑|도|의|빼고|빼|제외\S*|말고|외에\S*)$/u;
/** Verbs: 검토하고, 확인해서. Nouns may end like them: 재고, 플랜지. */
const VERBAL = /(?:고|네|해서|하여|니까?|면|해|한|된|할|줘|게|요)$/u;
/** "Do not …": 게시하지 말고. */
const NEGATED = /^(?:말|마|않)/u;

/**
 * Words of an order that say what it is about and that nothing has read: what is done would be something else than was said. They stand
 * behind the verb of the order, or behind "for", "only" and the like; in Korean before the verb, a noun of the domain or a particle.
 * @param rest the message without what was read of it
 * @param isOfDomain whether a word is one of the domain's nouns
 */
export function unreadIn(
  { rest }: Pick<SlotReading, "rest">,
  { en = [], ko = [] }: Orders,
  isOfDomain: (word: string) => boolean,
): readonly string[] {
  const text = rest.normalize("NFKC").toLowerCase();
  const verb = en.length > 0 ? new RegExp(`(?<!\\p{L})${formsOf(en).any}(?!\\p{L})`, "u") : undefined;
  const isOpen = (word: string): boolean =>
    askingWords(word).length > 0 && !BESIDE.has(word) && !isOfDomain(word) && verb?.test(word) !== true;
  const found = text
    .split(ENDS)
    .flatMap((sentence) =>
      HANGUL.test(sentence)
        ? unreadInKorean(sentence, ko, isOpen, isOfDomain)
        : unreadInEnglish(sentence, verb, isOpen),
    );
  return [...new Set(found)];
}

function unreadInEnglish(
  sentence: string,
  verb: RegExp | undefined,
  isOpen: (word: string) => boolean,
): readonly string[] {
  const open = (part: string): string[] => (part.match(/[\p{L}\p{N}'’-]+/gu) ?? []).filter(isOpen);
  const scoped = [...sentence.matchAll(SCOPE)].flatMap(({ index, 0: word }) => {
    const [behind = ""] = sentence.slice(index + word.length).split(JOINTS);
    return open(behind.trim().split(/\s+/).slice(0, SCOPE_WORDS).join(" "));
  });
  const at = verb?.exec(sentence);
  if (!at) return scoped;
  const parts = sentence
    .slice(at.index + at[0].length)
    .split(JOINTS)
    .map((part) => part.trim());
  const end = parts.findIndex((part) => beginsOrder(part));
  const own = parts.slice(0, end < 0 ? undefined : end);
  return [...own.filter((part, index) => index === 0 || !REMARK.test(part)).flatMap(open), ...scoped];
}

function unreadInKorean(
  sentence: string,
  orders: readonly string[],
  isOpen: (word: string) => boolean,
  isOfDomain: (word: string) => boolean,
): readonly string[] {
  if (!orders.some((order) => sentence.includes(order))) return [];
  const words = sentence.match(/[\p{L}\p{N}-]+/gu) ?? [];
  const isOrder = (word: string): boolean =>
    orders.some((order) => word.startsWith(order.split(" ")[0] ?? order));
  return words.filter((word, at) => {
    const next = words[at + 1] ?? "";
    const stem = word.replace(PARTICLE, "");
    if (isOrder(word) || !isOpen(word) || !isOpen(stem)) return false;
    if (stem !== word && stem !== "" && !/하고$/u.test(word)) return true;
    if (word.endsWith("지") && NEGATED.test(next)) return false;
    return NARROWS.test(next) || (!VERBAL.test(word) && (isOfDomain(next) || isOrder(next)));
  });
}
