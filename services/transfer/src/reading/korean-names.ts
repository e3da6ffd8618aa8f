import { nameFrom } from "./korean-answers.ts";
import { listBefore } from "./korean-lists.ts";
import { fullName, hasFinal, type Name, PARTICLE } from "./korean-name.ts";
import { isKoreanName, KO_KIN, KO_STOP } from "./lexicon.ts";
import type { FoundTargets } from "./targets.ts";
import type { Token } from "./tokens.ts";

const ACCOUNT_WORD = /^(.*?)(?:의)?(?:계좌|통장)(?:로|에|으로|앞으로)?$/u;
const TO = /^(?:으?로|에)$/;

/** The people that particles point at: "민수랑 김영희 씨에게", "엄마 계좌로". */
export function markedKorean(tokens: readonly Token[]): FoundTargets[] {
  const found: FoundTargets[] = [];
  tokens.forEach((token, at) => {
    const name = markedAt(tokens, at);
    if (name === undefined) return;
    const from = found.at(-1)?.end ?? -1;
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
