import { consentOf, type Operation, type Turn } from "@interlock/agent-kit";
import type { TransferSlots } from "../slots.ts";
import { currencyOnly } from "./currency.ts";
import { nameAt } from "./english-names.ts";
import { answeredName } from "./korean-answers.ts";
import { EN_KIN, EN_STOP, isKoreanName, KO_KIN, KO_STOP, KO_TITLE } from "./lexicon.ts";
import type { Reading } from "./read.ts";
import type { Token } from "./tokens.ts";

/** Words of a message that nothing else has read: a name, perhaps. */
type Chunk = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether its form says that it is a name: a capital, "my sister", 누나. */
  readonly strong: boolean;
};

/** Says that something is to be another one than was shown. */
export const CORRECTS =
  /(?:^|[\s,.])(?:no|nope|not|isn'?t|wasn'?t|actually|instead|rather|sorry|oops|wait|i mean|i meant|make (?:it|that)|change|correction|wrong|replace|swap|switch|use|anyone but|아니|아니야|아니다|아니요|아니고|아니라|아냐|아뇨|대신|바꿔|바꿀래|바꿀게|변경|수정|정정|틀렸어|잘못)(?=$|[\s,.!:])|말고(?=$|[\s,.!])/i;
/** "To him", "나한테": whom, but not by a name. */
const NOBODY_NAMED =
  /\b(?:to|for|not|no,?|but|instead of|give|send|pay) (?:me|him|her|them|us|myself|someone|somebody|anyone|anybody|everyone|everybody|whoever)\b|\b(?:someone|somebody|anyone|anybody|nobody) (?:else|but)\b|\b(?:my|mine|his|her|their|our|the other|another) (?:own )?(?:account|one|person|recipient|guy|girl|man|woman)\b|(?:그|이)\s?(?:사람|분)(?:이|은|한테)?\s?(?:아니|말고)|(?:^|\s)(?:나|저|내|제|걔|얘|쟤|본인|그쪽|누구|아무)(?:에게|한테|께|더러|\s(?:계좌|통장))/i;
/** An amount that is said in relation to another one. */
const RELATIVE =
  /\b(?:more|less|extra|additional|fewer|lower|higher|double|twice|triple|half|halve|percent)\b|[+%]\s?\d|\d\s?%|(?:^|\s|원|만|천)(?:더|덜|추가로)(?=$|\s)|배로|두\s?배|절반|반만|더\s?(?:많이|적게)|너무\s?(?:많|적)/i;

const IS_FOR = /\b(?:it'?s|it is|that'?s|that is|this is|goes|should be|must be)\b/i;

/** Words around a correction that are in no list of words that are no names. */
const EN_AROUND =
  /^(?:gets|goes|went|given|gave|spelled|spelt|called|named|typo|mistake|misspelled|meaning|rename|replace|swap|switch|pick|choose|select|correction|sending|payee|beneficiary|receiver|destination|target|nope|nah|yup|alright|name|names|swapped|fix|edit|correct)$/i;
const KO_AROUND =
  /^(?:아니(?:요|야|고|라|다|에요|예요)?|아냐|아닙니다|맞(?:아|아요|는데|습니다)|말고|말한|말했(?:어|어요|잖아)|대신에?|틀렸(?:어|어요|네|는데)|잘못(?:됐어|했어|됐어요|했어요)?|착각(?:했어|했네)?|실수(?:했어|했네|야)?|오타(?:야|예요)?|했(?:어|잖아|는데|다니까)|받는(?:이|사람|분)?|받을|보낼|(?:사람|분|수취인|수신인|상대|상대방|대상|이름|계좌|통장|쪽|앞|금액|돈|통화|메모|날짜)(?:은|는|이|가|을|를|도|만|의|로|으로)?|(?:이체|송금|확인|취소|변경|수정|정정|진행)(?:을|를|해|해줘|해요|하고|하지|하면|해주세요|했는데|했어|할게|할래|하자|부탁해)?|마(?:요|세요)?|말아(?:요|줘|주세요)?|(?:바꿔|고쳐|보내|부쳐|넣어)(?:줘|줘요|주세요|주라|요|라|달라고)?|바꾸(?:자|고|세요|면)|바꿀(?:래|게|래요|게요)|보낼(?:래|게|까|까요|래요|게요)|보내(?:지|고|자|라고|면)|해(?:줘|줘요|주세요|주라|요|라)?|할(?:게|게요|래|래요)?|하(?:고|자|지|세요|는)|줘요?|주세요|주십시오|부탁(?:해|해요|드려요|드립니다)?|그|그게|그거|그건|이|이게|이거|이건|저|내|제|내가|제가|건|게|거|다른|또|더|좀|꼭|그냥|다시|근데|그런데|그럼|원|만|씩|으로|로|한테|에게|께|님|씨|요|야)$/u;
/** What may stick to a name: particles, and "is" and "I said". */
const KO_TAIL =
  /(?:이?라니까요?|이?라고요?|이?라는데요?|에게로|에게도?|에게요|한테로|한테도?|한테요|께요?|더러|앞으로|으로요?|로요?|이랑|이에요|예요|에요|이야|야|이요|요|입니다|인데요?|은|는|이|가|을|를|도|만)$/u;
const KO_POINTS = /[가-힣](?:에게|한테|께|더러)(?:로|요|만|는)?$/u;

/**
 * What becomes of the words of a message about a shown transfer that the operations leave unread. They may be a recipient, so the transfer
 * is not confirmed past them: a name takes the recipient's place where the message corrects anything, and is asked about elsewhere; what
 * cannot be read is in doubt.
 */
export function withDoubts(
  operations: readonly Operation[],
  reading: Reading,
  turn: Turn<TransferSlots>,
): readonly Operation[] {
  const { text } = reading;
  const isSettled = operations.some(
    (one) => one.op === "add" || (one.op === "clear" && !isAbout("date", one)),
  );
  // Of a currency alone, all words have been read.
  if (isSettled || currencyOnly(text) !== undefined) return operations;
  if (RELATIVE.test(text)) return [...without("amount", operations), { op: "clear", slot: "amount" }];
  const told = withoutPeople(operations, reading, turn);
  return withRecipient(told, reading, turn);
}

/** "No, for Tom" may be whom it is for, and no memo. */
function withoutPeople(
  operations: readonly Operation[],
  { text }: Reading,
  { slots }: Turn<TransferSlots>,
): readonly Operation[] {
  const memo = String(setTo("memo", operations) ?? "");
  const isFor = memo !== "" && text.toLowerCase().includes(`for ${memo.toLowerCase()}`);
  const isName = /^\p{Lu}\S*(?: \p{Lu}\S*)*$/u.test(memo);
  if (!isFor || !(isName || CORRECTS.test(text) || IS_FOR.test(text)) || isCommon(memo)) return operations;
  return [...without("memo", operations), either(slots.target, memo)];
}

function withRecipient(
  operations: readonly Operation[],
  reading: Reading,
  { slots, queue }: Turn<TransferSlots>,
): readonly Operation[] {
  const { text, named } = reading;
  const old = slots.target ?? "";
  const isCorrected = CORRECTS.test(text);
  const chunks = chunksOf(reading);
  const unread = chunks.filter((chunk) => !isSame(chunk.text, old));
  const target = setTo("target", operations);
  const others = without("target", operations);
  const cleared: Operation = { op: "clear", slot: "target" };
  if (target !== undefined) {
    // "Not Anna": names nobody new.
    if (target === old && isCorrected && others.length === 0 && unread.length === 0) return [cleared];
    const beside = unread.find(({ end, strong }) => strong && named.some(({ start }) => start === end + 1));
    // "제이콥 밀러한테": the name begins before what was read of it.
    return beside === undefined
      ? operations
      : [...others, { op: "set", slot: "target", value: `${beside.text} ${String(target)}` }];
  }
  const isNamed = chunks.length > unread.length;
  const [name, another] = unread.filter(({ strong }) => strong);
  // One of those that wait is no correction of this one.
  if (queue.some((waiting) => waiting.target !== undefined && isSame(waiting.target, name?.text ?? "")))
    return [...others, { op: "doubt" }];
  if (another !== undefined) return [...others, cleared];
  if (name !== undefined)
    return [
      ...others,
      isCorrected ? { op: "set", slot: "target", value: name.text } : either(old, name.text),
    ];
  if (NOBODY_NAMED.test(text) || pointsAtNobody(reading)) return [...others, cleared];
  if (isNamed && (isCorrected || /\b(?:wrong|other)\b/i.test(text))) return [...others, cleared];
  const [first] = unread;
  if (first === undefined)
    return operations.length === 0 && reading.respelled ? [{ op: "doubt" }] : operations;
  const isAlone = unread.length === 1 && text.split(" ").length <= MOST_WORDS;
  return isAlone && !isCorrected && others.length === 0
    ? [either(old, first.text)]
    : [...others, { op: "doubt" }];
}

/** A name alone, or beside a yes, is that short; what is longer is a sentence about something else. */
const MOST_WORDS = 3;

function setTo(slot: string, operations: readonly Operation[]): unknown {
  return operations.flatMap((one) => (one.op === "set" && one.slot === slot ? [one.value] : []))[0];
}

function without(slot: string, operations: readonly Operation[]): Operation[] {
  return operations.filter((one) => !isAbout(slot, one));
}

function isAbout(slot: string, operation: Operation): boolean {
  return "slot" in operation && operation.slot === slot;
}

/** Asks which of the two it is. */
function either(old: string | undefined, name: string): Operation {
  return { op: "set", slot: "target", value: old === undefined ? name : `${old} | ${name}` };
}

function isCommon(words: string): boolean {
  return words.split(" ").every((word) => EN_STOP.has(word.toLowerCase()));
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** "거기한테": a particle points at somebody whose name was not read. */
function pointsAtNobody(reading: Reading): boolean {
  return leftOf(reading).some(({ kind, text }) => kind === "word" && KO_POINTS.test(text));
}

/** The tokens, in which a name that was read is a boundary. */
function leftOf({ tokens, named }: Reading): readonly Token[] {
  return tokens.map((token) =>
    named.some(({ start, end }) => start < token.end && token.start < end)
      ? { ...token, kind: "mark" }
      : token,
  );
}

function chunksOf(reading: Reading): Chunk[] {
  const tokens = leftOf(reading);
  const chunks: Chunk[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = chunkAt(tokens, at);
    if (found === undefined) at += 1;
    else {
      chunks.push(found.chunk);
      at = found.next;
    }
  }
  return chunks;
}

type Found = { readonly chunk: Chunk; readonly next: number };

function chunkAt(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at];
  if (token?.kind !== "word") return undefined;
  if (/\p{Script=Hangul}/u.test(token.text)) return koreanAt(tokens, at);
  if (EN_AROUND.test(token.text)) return undefined;
  const name = nameAt(tokens, at);
  const last = tokens[(name?.next ?? 0) - 1];
  if (name === undefined || last === undefined) return undefined;
  const strong = isCapital(name.text, at) || OWNED.test(token.text) || EN_KIN.test(name.text);
  return { chunk: { text: name.text, start: token.start, end: last.end, strong }, next: name.next };
}

const OWNED = /^(?:my|our|his|her|their|the)$/i;

function isCapital(name: string, at: number): boolean {
  return /^\p{Lu}/u.test(name) && !(at === 0 && EN_STOP.has(name.toLowerCase()));
}

/** Words in a row that do not belong to a correction: the name, with the particles of its last word taken off. */
function koreanAt(tokens: readonly Token[], at: number): Found | undefined {
  let next = at;
  // A particle ends the name.
  do next += isKoreanPart(tokens[next]) ? 1 : 0;
  while (next > at && next < at + 3 && isKoreanPart(tokens[next]) && !endsName(tokens[next - 1]?.text ?? ""));
  const words = tokens.slice(at, next).map(({ text }) => text);
  const [start, end, last] = [tokens[at]?.start, tokens[next - 1]?.end, words.at(-1)];
  if (start === undefined || end === undefined || last === undefined) return undefined;
  const strong = words.length <= 2 && words.every((word) => isNameLike(stemOf(word)));
  const text = [...words.slice(0, -1), stemOf(last)].join(" ");
  return { chunk: { text, start, end, strong }, next };
}

function endsName(word: string): boolean {
  return stemOf(word) !== word;
}

function stemOf(word: string): string {
  const answered = answeredName(word);
  if (answered !== undefined) return answered;
  const shorter = word.replace(KO_TAIL, "");
  if (shorter === word || shorter.length < 2) return word;
  return isNameLike(shorter) ? shorter : stemOf(shorter);
}

function isNameLike(word: string): boolean {
  return isKoreanName(word) || KO_KIN.test(word) || KO_TITLE.test(word);
}

function isKoreanPart(token: Token | undefined): boolean {
  if (token?.kind !== "word" || !/\p{Script=Hangul}/u.test(token.text)) return false;
  const stem = stemOf(token.text);
  const isKnown = KO_AROUND.test(token.text) || KO_STOP.has(token.text) || KO_STOP.has(stem);
  return !isKnown && consentOf(token.text) === undefined && stem.length > 1;
}
