import { isKoreanName, KO_ALSO_NAME, KO_KIN, KO_OWN, KO_STOP, KO_TITLE, SURNAMES } from "./lexicon.ts";
import type { FoundTargets } from "./targets.ts";
import type { Token } from "./tokens.ts";

const PARTICLE =
  /^(.*?)(?:에게로|에게다|에게|한테로|한테다|한테|께로|께|더러|앞으로)(?:는|만|도|요|로)?(?:보내.*|송금.*|이체.*|부쳐.*)?$/u;
const ACCOUNT_WORD = /^(.*?)(?:의)?(?:계좌|통장)(?:로|에|으로|앞으로)?$/u;
const JOINED = /^(.+?)(이랑|랑|하고|이하고|와|과)$/u;
const OTHERWISE = /^(.+?)(이나|나)$/u;
const TO = /^(?:으?로|에)$/;
const NOT_PERSON = /^(?:명|사람|분|함|어저|그|이|저|누구|누군가|아무|본인|나|저희|우리)$/;
const TITLE_NIM =
  /(?:선생|부모|사장|고객|교수|부장|과장|대리|차장|팀장|실장|원장|회장|대표|이사|목사|기사|어머|아버|할머|할아버|형|누|장모|스|신부|의사|감독|작가|매니저|간호사|변호사|이모|고모|삼촌|며느|아드|따|주인|사모|손|집사|점장|반장|소장|국장)님$/;

type Name = { readonly text: string; readonly first: number };

/** The people that particles point at: "민수랑 김영희 씨에게", "엄마 계좌로". */
export function markedKorean(tokens: readonly Token[]): FoundTargets[] {
  const found: FoundTargets[] = [];
  tokens.forEach((token, at) => {
    const name = markedAt(tokens, at);
    if (name === undefined) return;
    const from = (found.at(-1)?.end ?? -1) + 0;
    const list = listBefore(tokens, name.first, from);
    found.push({
      start: tokens[list.first]?.start ?? token.start,
      end: token.end,
      names: [...list.names, name.text],
      alternatives: list.alternatives,
      marked: true,
    });
  });
  return found;
}

function markedAt(tokens: readonly Token[], at: number): Name | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "account") return accountAt(tokens, at);
  if (token.kind !== "word") return undefined;
  const stem = PARTICLE.exec(token.text)?.[1];
  if (stem !== undefined) return stem === "" ? nameEndingAt(tokens, at - 1) : fullName(tokens, at, stem);
  const owner = ACCOUNT_WORD.exec(token.text)?.[1];
  if (owner === undefined || !/(?:로|에)$/.test(token.text)) return undefined;
  if (owner !== "") return /(?:은행|본인|내|제|이|그)$/.test(owner) ? undefined : fullName(tokens, at, owner);
  return nameEndingAt(tokens, at - 1);
}

/** An account number, with the bank that stands before it. */
function accountAt(tokens: readonly Token[], at: number): Name | undefined {
  const number = tokens[at]?.text ?? "";
  const bank = tokens[at - 1];
  const isBank =
    bank?.kind === "word" &&
    /(?:은행|뱅크|bank)$|^(?:국민|신한|우리|하나|농협|기업|카카오|토스|새마을금고|우체국|수협|신협)$/i.test(
      bank.text,
    );
  return isBank ? { text: `${bank.text} ${number}`, first: at - 1 } : { text: number, first: at };
}

function nameEndingAt(tokens: readonly Token[], at: number): Name | undefined {
  const token = tokens[at];
  if (token?.kind === "account") return undefined;
  return token?.kind === "word" ? fullName(tokens, at, token.text.replace(/의$/, "")) : undefined;
}

/** The whole name of which `stem` is the last word: 김민수 님, 우리 엄마, 김 대리님, 민수 형. */
function fullName(tokens: readonly Token[], at: number, stem: string): Name | undefined {
  if (NOT_PERSON.test(stem)) return undefined;
  const before = tokens[at - 1];
  const previous = before?.kind === "word" ? before.text : undefined;
  if (/^(?:님|씨|군|양)$/.test(stem))
    return previous === undefined ? undefined : fullName(tokens, at - 1, previous);
  // A surname alone is nobody without the title: 김 대리님.
  if (KO_TITLE.test(stem) && previous !== undefined && isWholeName(previous))
    return fullName(tokens, at - 1, previous);
  const text = bare(stem);
  if (KO_STOP.has(text) && !KO_KIN.test(text) && !KO_ALSO_NAME.has(text)) return undefined;
  if (LATIN_NAME.test(text)) return latinName(tokens, at, text);
  if (previous !== undefined && joins(previous, text)) return { text: `${previous} ${text}`, first: at - 1 };
  return { text, first: at };
}

const LATIN_NAME = /^\p{Lu}[\p{Script=Latin}'’.-]*$/u;
const LATIN_LINK = /^(?:de|da|di|du|la|le|van|von|der|den|bin|al|el)$/;
const MOST_WORDS = 4;

/** "Jane Doe에게": a name in Latin letters goes back to its first word. */
function latinName(tokens: readonly Token[], at: number, last: string): Name {
  const words = [last];
  let first = at;
  while (words.length < MOST_WORDS && !isShared(tokens)) {
    const before = tokens[first - 1];
    if (before?.kind !== "word" || !(LATIN_NAME.test(before.text) || LATIN_LINK.test(before.text))) break;
    words.unshift(before.text);
    first -= 1;
  }
  // "보내 de Souza에게": nothing of a name stands before the link.
  while (LATIN_LINK.test(words[0] ?? "")) {
    words.shift();
    first += 1;
  }
  return { text: words.join(" "), first };
}

function isWholeName(word: string): boolean {
  const isOther = KO_KIN.test(word) || KO_TITLE.test(word) || KO_OWN.test(word) || JOINED.test(word);
  return isOther ? false : isKoreanName(word) || /^\p{Lu}[\p{L}'-]+$/u.test(word);
}

function joins(previous: string, name: string): boolean {
  if (KO_OWN.test(previous)) return KO_KIN.test(name) || /^[가-힣]{2,4}$/.test(name);
  if (/^[가-힣]$/.test(previous)) return SURNAMES.includes(previous) && /^[가-힣]{1,4}$/.test(name);
  return KO_KIN.test(name) && !KO_KIN.test(previous) && isKoreanName(previous) && !JOINED.test(previous);
}

/** Without what politeness and particles add: 김민수님 is 김민수, 지훈이 is 지훈. */
export function bare(titled: string): string {
  const word = untitled(titled);
  const plain = word.length > 2 && /님$/.test(word) && !TITLE_NIM.test(word) ? word.slice(0, -1) : word;
  const unpolite = plain.length > 2 && /씨$/.test(plain) ? plain.slice(0, -1) : plain;
  const isPet =
    /^[가-힣]{3,4}$/.test(unpolite) &&
    unpolite.endsWith("이") &&
    hasFinal(unpolite.at(-2) ?? "") &&
    !KO_KIN.test(unpolite);
  return isPet ? unpolite.slice(0, -1) : unpolite;
}

const LONGEST_TITLE = 5;

/** 김민수팀장님 is 김민수, but 김사장님 stays. */
function untitled(word: string): string {
  for (let length = Math.max(2, word.length - LONGEST_TITLE); length < word.length; length++) {
    const title = word.slice(length);
    if (KO_TITLE.test(title) && (length > 2 || title.endsWith("님")) && isWholeName(word.slice(0, length)))
      return word.slice(0, length);
  }
  return word;
}

/** Whether a syllable ends in a consonant. */
export function hasFinal(syllable: string): boolean {
  const code = syllable.charCodeAt(0) - 0xac00;
  return code >= 0 && code < 11_172 && code % 28 !== 0;
}

type List = { readonly names: readonly string[]; readonly first: number; readonly alternatives: boolean };

/** The names before one: "민수랑", "민수, 영희와", "A랑", "민수나". */
function listBefore(tokens: readonly Token[], last: number, from: number): List {
  const names: string[] = [];
  let first = last;
  let alternatives = false;
  for (;;) {
    const step = joinedBefore(tokens, first);
    const start = step === undefined ? undefined : tokens[step.first]?.start;
    if (step === undefined || start === undefined || start < from) return { names, first, alternatives };
    names.unshift(step.text);
    first = step.first;
    alternatives ||= step.either;
  }
}

function joinedBefore(
  tokens: readonly Token[],
  at: number,
): (Name & { readonly either: boolean }) | undefined {
  const before = tokens[at - 1];
  if (before === undefined) return undefined;
  const isMark = before.kind === "mark" && /^[,&、·/]$/.test(before.text);
  const isWord = before.kind === "word" && /^(?:그리고|및|하고|랑|이랑|또|and)$/i.test(before.text);
  const isOr = before.kind === "word" && /^(?:또는|아니면|혹은|or)$/i.test(before.text);
  if (isMark || isWord || isOr) {
    const named = tokens[at - 2];
    if (named?.kind !== "word") return undefined;
    const stem = JOINED.exec(named.text)?.[1] ?? PARTICLE.exec(named.text)?.[1] ?? named.text;
    // A particle of its own makes a target of its own.
    if (PARTICLE.test(named.text) && !isOr) return undefined;
    return isName(stem) ? { ...whole(tokens, at - 2, stem), either: isOr } : undefined;
  }
  if (before.kind !== "word") return undefined;
  if (standsInList(tokens, at)) return { ...whole(tokens, at - 1, before.text), either: false };
  const joined = JOINED.exec(before.text)?.[1];
  if (joined !== undefined && isName(joined)) return { ...whole(tokens, at - 1, joined), either: false };
  const either = OTHERWISE.exec(before.text)?.[1];
  if (either === undefined || !isName(either) || either.length < 2) return undefined;
  return { ...whole(tokens, at - 1, either), either: true };
}

/** "민수 영희 철수에게 만원씩": names one behind another, where all get something. */
function standsInList(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at - 1]?.text ?? "";
  if (KO_KIN.test(word) && KO_KIN.test(PARTICLE.exec(tokens[at]?.text ?? "")?.[1] ?? ""))
    return isShared(tokens);
  if (!isWholeName(word) || !/^[가-힣]{2,3}$/.test(word) || !/^[가-힣]{2,3}/.test(tokens[at]?.text ?? ""))
    return false;
  return isShared(tokens);
}

function isShared(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }) => /^(?:씩|각각|각자|똑같이)/.test(text));
}

function whole(tokens: readonly Token[], at: number, stem: string): Name {
  return fullName(tokens, at, stem) ?? { text: stem, first: at };
}

function isName(word: string): boolean {
  return isKoreanName(word) || /^\p{Lu}[\p{L}'’-]*$/u.test(word);
}

/** "받는 사람은 영희로": whom a slot's name points at. */
export function labelledKorean(tokens: readonly Token[]): FoundTargets[] {
  const found: FoundTargets[] = [];
  tokens.forEach((token, at) => {
    const label =
      /^(?:사람|분|수취인|수신인|수신자|상대|상대방|대상|수취자|이름)(?:은|는|이|가|을|를)?$/.test(
        token.text,
      );
    const asked = /^(?:받는|받을|보낼)$/.test(tokens[at - 1]?.text ?? "") || !/^(?:사람|분)/.test(token.text);
    if (!label || !asked) return;
    const skip = tokens[at + 1]?.text === ":" ? 2 : 1;
    const next = nameFrom(tokens, at + skip);
    if (next !== undefined) found.push(next);
  });
  return found;
}

const SENDS = /^(?:송금|이체|보내|보낼|입금|부쳐|부치|부칠|넣어|넣을|쏴|지급|결제|전송|납부)/;
const NO_DESTINATION =
  /(?:값|비|세|료|금|선물|명목|명의|이름|월급|용돈|통장|계좌|별도|자동|수동|번째|대신|한꺼번|동시|순서대|정도)$/;

/** "한국건설로 송금": a firm or an account by its particle, before a verb that sends. */
export function destinationKorean(tokens: readonly Token[]): FoundTargets[] {
  const found: FoundTargets[] = [];
  tokens.forEach((token, at) => {
    const [, name = "", particle = ""] =
      token.kind === "word" ? (/^([\p{L}\p{N}&·]{2,20}?)(으로|로|에다|에)$/u.exec(token.text) ?? []) : [];
    if (name === "" || !isDestination(name, particle)) return;
    const behind = tokens
      .slice(at + 1)
      .find(
        ({ kind, text }) => kind === "word" && !/^(?:좀|바로|얼른|빨리|즉시|지금|꼭|다시|그냥)$/.test(text),
      );
    if (behind === undefined || !SENDS.test(behind.text)) return;
    found.push({ start: token.start, end: token.end, names: [name], alternatives: false, marked: true });
  });
  return found;
}

function isDestination(name: string, particle: string): boolean {
  if (!/\p{Script=Hangul}$/u.test(name) || /^\d/.test(name)) return false;
  if (KO_STOP.has(name) || KO_STOP.has(name + particle) || NO_DESTINATION.test(name)) return false;
  if (isKoreanName(name)) return fits(name, particle);
  return (
    name.length > 2 &&
    fits(name, particle) &&
    /[가-힣]{2,}$/u.test(name) &&
    !/(?:는|은|를|을|고|서|면)$/.test(name)
  );
}

/** 로 stands behind vowels and ㄹ, 으로 behind the other consonants. */
function fits(name: string, particle: string): boolean {
  const last = name.at(-1) ?? "";
  if (particle !== "으로" && particle !== "로") return true;
  const isLiquid = (last.charCodeAt(0) - 0xac00) % 28 === 8;
  return (particle === "으로") === (hasFinal(last) && !isLiquid);
}

/** A name that ends as an answer or an order does: "영희", "영희로", "영희야", "김 대리님이요". */
export function nameFrom(tokens: readonly Token[], at: number): FoundTargets | undefined {
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length);
    if (words.length < length || words.some(({ kind }) => kind !== "word")) continue;
    const text = words.map((word) => word.text).join(" ");
    const name = answeredName(text);
    const last = words.at(-1);
    if (name === undefined || words[0] === undefined || last === undefined) continue;
    return { start: words[0].start, end: last.end, names: [name], alternatives: false, marked: true };
  }
  return undefined;
}

const ANSWER_ENDING =
  /(?:이요|요|이야|야|입니다|이에요|예요|에요|이다|인데요|이지|으로|로|에게요?|한테요?|께요?|님이요|님이야|님|(?<=[가-힣]{3})에)$/;

/** The name that a short answer consists of; undefined where it may be anything else. */
export function answeredName(answer: string): string | undefined {
  const text = answer.trim();
  if (KO_STOP.has(text)) return undefined;
  for (const candidate of [
    text,
    text.replace(ANSWER_ENDING, ""),
    text.replace(ANSWER_ENDING, "").replace(ANSWER_ENDING, ""),
  ].reverse()) {
    const name = plainName(candidate.trim());
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The names that an answer consists of: "민수랑 영희". */
export function answeredKoreanList(answer: string): readonly string[] {
  const parts = answer.trim().split(/\s*(?:,|\s그리고\s|(?<=[가-힣])(?:이랑|랑|하고|와|과)\s|\s및\s)\s*/);
  const names = parts.map(answeredName).filter((name) => name !== undefined);
  return names.length === parts.length ? names : [];
}

function plainName(text: string): string | undefined {
  if (PARTICLE.test(text)) return undefined;
  const [first = "", second, third] = text.split(/\s+/);
  if (second !== undefined && KO_TITLE.test(`${second}${third ?? ""}`) && isWholeName(first))
    return bare(first);
  if (third !== undefined) return undefined;
  if (second === undefined) return isKoreanName(first) ? bare(first) : undefined;
  if (/^(?:님|씨|군|양)$/.test(second)) return isKoreanName(first) ? first : undefined;
  return joins(first, bare(second)) ? `${first} ${bare(second)}` : undefined;
}

/** "민수 5만원": a name that stands right before an amount, where no particle points at anybody. */
export function unmarkedKorean(
  tokens: readonly Token[],
  amountAt: number,
  from: number,
): FoundTargets | undefined {
  const token = tokens[amountAt - 1];
  if (token?.kind !== "word" || token.start < from) return undefined;
  const stem = token.text;
  if (
    TO.test(stem) ||
    !isKoreanName(stem) ||
    (stem.length > 2 && /(?:은|는|을|를|에|도|만|로|고|씩)$/.test(stem))
  )
    return undefined;
  if (!KO_KIN.test(stem) && /(?:값|비|세|료|금)$/.test(stem) && stem.length > 2) return undefined;
  const name = fullName(tokens, amountAt - 1, stem);
  if (name === undefined) return undefined;
  const list = listBefore(tokens, name.first, from);
  const start = tokens[list.first]?.start ?? token.start;
  return {
    start,
    end: token.end,
    names: [...list.names, name.text],
    alternatives: list.alternatives,
    marked: false,
  };
}
