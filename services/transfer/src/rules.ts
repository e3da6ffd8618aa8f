import { consentOf, type Operation, type Turn } from "@interlock/agent-kit";
import { currencyOnly } from "./reading/currency.ts";
import { CORRECTS, withDoubts } from "./reading/doubts.ts";
import { answeredEnglish, answeredList } from "./reading/english-names.ts";
import { answeredKoreanList, answeredName } from "./reading/korean-answers.ts";
import { dropsMemo } from "./reading/memo.ts";
import { EACH, normalised, type Raw, type Reading, read } from "./reading/read.ts";
import type { TransferSlots } from "./slots.ts";

type TransferTurn = Turn<TransferSlots>;

/** Says that a transfer comes in addition to those there are. */
const ALSO =
  /(?:^|[\s,.])(?:also|another|additionally|in addition|as well|too|plus|on top of that|one more|추가로|추가|그리고|또|하나 더|한 건 더|이랑 같이)(?=$|[\s,.!])|[가-힣](?:한테|에게|께)도(?=\s|$)/i;
const DROPS =
  /(?:^|[\s,.])(?:cancel|drop|remove|delete|skip|forget|stop|don'?t (?:send|do|pay)|취소|빼|제외|삭제|보내지\s?마|건너뛰)/i;

/** What a message changes. What it says of nobody in particular is about the task at hand. */
export function transferRules(turn: TransferTurn): readonly Operation[] {
  const reading = read(turn.message, turn.now);
  const operations = changesOf(reading, turn);
  return turn.stage === "READY" && consentOf(turn.message) === undefined
    ? withDoubts(operations, reading, turn)
    : operations;
}

function changesOf(reading: Reading, turn: TransferTurn): Operation[] {
  if (DROPS.test(reading.text) && reading.tasks.every(({ amount }) => amount === undefined))
    return dropping(reading, turn);
  const currency = reading.tasks.every(({ amount }) => amount === undefined)
    ? currencyOnly(reading.text)
    : undefined;
  if (currency !== undefined) return [{ op: "set", slot: "currency", value: currency }];
  const queued = placeIn(reading.text, turn);
  if (queued !== undefined && turn.queue[queued] !== undefined) return changing(reading, turn, queued);
  const tasks = withAnswer({ ...reading, tasks: withoutGuesses(reading, turn) }, turn);
  const changes = clearing(reading, tasks, turn);
  const isWaiting = turn.stage === "READY" || (turn.queue.length > 0 && isOver(turn.stage));
  if (
    isWaiting &&
    ALSO.test(reading.text) &&
    !CORRECTS.test(reading.text) &&
    tasks.some(({ target }) => target !== undefined)
  )
    return tasks.map(adding);
  const [first, ...others] = tasks;
  return [
    ...changes,
    ...sharing(first, reading, turn),
    ...(first === undefined ? [] : setting(first)),
    ...others.map(adding),
  ];
}

function isOver(stage: TransferTurn["stage"]): boolean {
  return stage === "EXECUTED" || stage === "FAILED" || stage === "CANCELLED";
}

/** "20 dollars each": also for those that wait and have no amount yet. */
function sharing(first: Raw | undefined, { text }: Reading, { queue }: TransferTurn): Operation[] {
  const amount = first?.target === undefined && EACH.test(text) ? first?.amount : undefined;
  if (amount === undefined || queue.every((waiting) => waiting.amount !== undefined)) return [];
  const cleared = queue.map((): Operation => ({ op: "clear", queued: 0 }));
  return [...cleared, ...queue.map((waiting): Operation => ({ op: "add", values: { amount, ...waiting } }))];
}

/** "Around 80 dollars" is no person in place of the one that was named, where nothing says that anything is corrected. */
function withoutGuesses({ tasks, text }: Reading, { slots }: TransferTurn): readonly Raw[] {
  const [first, ...others] = tasks;
  if (first?.guessed !== true || slots.target === undefined || others.length > 0 || CORRECTS.test(text))
    return tasks;
  const { target: _, ...rest } = first;
  return [rest];
}

function setting({ guessed: _, ...raw }: Raw): Operation[] {
  return Object.entries(raw).map(([slot, value]): Operation => ({ op: "set", slot, value }));
}

function adding({ guessed: _, ...raw }: Raw): Operation {
  return { op: "add", values: { ...raw } };
}

const ORDINALS: readonly RegExp[] = [
  /\b(?:first|1st)\b|첫\s?(?:번째|째|거|건)/i,
  /\b(?:second|2nd)\b|(?:두|2)\s?번째|둘째/i,
  /\b(?:third|3rd)\b|(?:세|3)\s?번째|셋째/i,
  /\b(?:fourth|4th)\b|(?:네|4)\s?번째|넷째/i,
];

/** Which task of a batch "the second one" is: its place in the queue, or -1 for the one that is shown. */
function placeIn(text: string, { queue, index, total }: TransferTurn): number | undefined {
  if (total < 2) return undefined;
  if (/\blast (?:one|transfer)\b|마지막\s?(?:거|건|것|이체)/i.test(text)) return queue.length - 1;
  const ordinal = ORDINALS.findIndex((pattern) => pattern.test(text));
  return ordinal === -1 ? undefined : ordinal + 1 - index - 1;
}

/** "Change the second one to $7": what waits is put anew, at the end of the queue. */
function changing({ tasks }: Reading, { queue }: TransferTurn, queued: number): Operation[] {
  const { guessed: _, ...change } = tasks[0] ?? {};
  if (Object.keys(change).length === 0) return [];
  return [
    { op: "clear", queued },
    { op: "add", values: { ...queue[queued], ...change } },
  ];
}

/** "Cancel the one to Jane": drops what waits. What is shown right now is cancelled as a whole, see `transferConsent`. */
function dropping({ text }: Reading, turn: TransferTurn): Operation[] {
  const { queue, slots } = turn;
  if (dropsMemo(text)) return [{ op: "clear", slot: "memo" }];
  if (/(?:date|날짜|예약)/i.test(text) && slots.date !== undefined) return [{ op: "clear", slot: "date" }];
  const place = placeIn(text, turn);
  if (place !== undefined) return place >= 0 && place < queue.length ? [{ op: "clear", queued: place }] : [];
  return queue
    .flatMap(({ target }, queued): Operation[] => (isNamed(target, text) ? [{ op: "clear", queued }] : []))
    .reverse();
}

/** "Cancel the one to Jane", where the one to Jane is shown: a no to it alone. */
export function cancelsCurrent(turn: TransferTurn): boolean {
  const { message, slots, queue } = turn;
  const text = normalised(message);
  if (DROPS.test(text) && placeIn(text, turn) === -1) return true;
  if (queue.some(({ target }) => isNamed(target, text))) return false;
  return DROPS.test(text) && isNamed(slots.target, text);
}

/** Whether a text has the name as a word, with or without a particle. */
function isNamed(name: string | undefined, text: string): boolean {
  if (name === undefined) return false;
  const at = text.toLowerCase().indexOf(name.toLowerCase());
  return (
    at >= 0 && !/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[a-z0-9]/i.test(text.slice(at + name.length))
  );
}

/** The tasks of a message; a name on its own is an answer where a name was asked for, or corrects the one that is shown. */
function withAnswer(reading: Reading, turn: TransferTurn): readonly Raw[] {
  const { tasks, text } = reading;
  const [first = {}, ...others] = tasks;
  if (first.target !== undefined || tasks.length > 1 || consentOf(text) !== undefined) return tasks;
  const corrects = CORRECTS.test(text);
  const isAsked = turn.missing.includes("target") && (turn.stage === "FILLING" || first.amount !== undefined);
  if (!isAsked && !(corrects && turn.stage !== "INIT")) return tasks;
  // "It's for Jane": whom it is for, where that is what was asked.
  const { memo, ...rest } = first;
  if (memo !== undefined && FOR_SOMEBODY.exec(text)?.[1] === memo)
    return [{ ...rest, target: memo }, ...others];
  const target = EACH.test(text) ? undefined : nameOf(reading);
  if (target !== undefined) return [{ ...first, target }, ...others];
  const amount =
    first.amount ??
    (turn.slots.amount === undefined ? undefined : `${turn.slots.amount} ${turn.slots.currency ?? ""}`);
  const shared = amount === undefined ? first : { ...first, amount };
  const names = namesOf(reading);
  return names.length < 2 ? tasks : names.map((name): Raw => ({ ...shared, target: name }));
}

/** "Ann and Bob", "민수랑 영희": all get what was said before. */
function namesOf({ tokens, text }: Reading): readonly string[] {
  const each = EACH.test(text);
  if (!each && tokens.some(({ kind }) => kind !== "word" && kind !== "mark")) return [];
  const left = tokens.filter(
    ({ kind, text: word }) => /^(?:word|mark)$/.test(kind) && !(each && AROUND_LIST.test(word)),
  );
  const said = each ? left.map(({ text: word }) => word).join(" ") : text;
  const korean = /\p{Script=Hangul}/u.test(text) ? answeredKoreanList(said) : [];
  return korean.length > 0 ? korean : answeredList(left);
}

/** What stands around a list of names: "보내줘: 민수, 영희", "send 5 dollars each: Ann, Leo". */
const AROUND_LIST =
  /^(?:[:-]|each|apiece|send|pay|give|transfer|wire|please|pls|to|씩|각각|각자|똑같이|보내\S*|송금\S*|이체\S*|부쳐\S*|쏴\S*|해줘|부탁\S*|좀)$/i;

const FOR_SOMEBODY =
  /\bfor\s+(\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*)(?=$|[.,!]|\s(?:please|tomorrow|today)\b)/u;

function nameOf({ tokens, text }: Reading): string | undefined {
  const words = tokens.filter(({ kind }) => kind === "word" || kind === "mark");
  if (words.length < tokens.length && words.every(({ kind }) => kind === "mark")) return undefined;
  const left = tokens.filter(({ kind }) => kind !== "amount" && kind !== "date" && kind !== "memo");
  if (!/\p{Script=Hangul}/u.test(text)) {
    const not = left.findIndex(({ text: word }) => /^not$/i.test(word));
    const but = left.findIndex(({ text: word }) => /^but$/i.test(word));
    // "not Minsu but Jane", "Jane, not Minsu"
    return answeredEnglish(but > not && not >= 0 ? left.slice(but + 1) : not > 0 ? left.slice(0, not) : left);
  }
  const rest = left
    .filter(({ kind }) => kind === "word")
    .map(({ text: word }) => word)
    .filter((word) => !SPOKEN.test(word));
  return (
    answeredName(rest.join(" ")) ??
    answeredEnglish(left.filter(({ text: word }) => !/\p{Script=Hangul}/u.test(word)))
  );
}

/** Words around a name in an answer or a correction. */
const SPOKEN =
  /^(?:아니|아니야|아니다|아니요|아뇨|아|어|음|저기|그|네|응|예|이름은|받는|사람은|사람|분은|보내줘|보내|보내주세요|보내요|송금해줘|이체해줘|이체|송금|해줘|해주세요|부탁해|부탁해요|부탁드려요|바꿔줘|바꿔|바꿔주세요|변경해줘|변경해주세요|변경|수정해줘|수정|할게|할게요|할래|정정|잘못|말했어|말했네|씩|을|를|만|으로|로|요|이요|좀|그냥|다시)$/;

const CHANGES =
  /(?:change|wrong|different|another|update|edit|fix|correct|바꿔|바꾸|변경|수정|고쳐|고치|정정|틀렸|잘못|다른)/i;
const PARTS: readonly (readonly [slot: keyof TransferSlots, words: RegExp])[] = [
  ["amount", /(?:\bamount\b|\bsum\b|how much|금액|액수|얼마)/i],
  ["target", /(?:\brecipient\b|\bpayee\b|\bperson\b|\bwho\b|\bname\b|받는|수취인|상대|사람|이름)/i],
  ["memo", /(?:\bmemo\b|\bnote\b|메모)/i],
  ["date", /(?:\bdate\b|\bday\b|날짜|일자)/i],
];

const AT_ONCE =
  /\b(?:now|right away|immediately|at once|asap|no date)\b|지금|당장|바로|즉시|날짜 (?:없이|빼)/i;

/** "Change the amount": asks for it anew. "No memo", "right now": forgets what is optional. */
function clearing({ text }: Reading, tasks: readonly Raw[], { slots }: TransferTurn): Operation[] {
  const cleared: Operation[] = [];
  if (dropsMemo(text)) cleared.push({ op: "clear", slot: "memo" });
  if (slots.date !== undefined && AT_ONCE.test(text) && tasks.every(({ date }) => date === undefined))
    cleared.push({ op: "clear", slot: "date" });
  if (tasks.length > 0 || !CHANGES.test(text)) return cleared;
  const part = PARTS.find(([slot, words]) => slots[slot] !== undefined && words.test(text));
  return part === undefined ? cleared : [...cleared, { op: "clear", slot: part[0] }];
}
