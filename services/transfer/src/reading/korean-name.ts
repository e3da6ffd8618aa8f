import { isKoreanName, KO_ALSO_NAME, KO_KIN, KO_OWN, KO_STOP, KO_TITLE, SURNAMES } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** A particle that points at whoever gets something. */
export const PARTICLE =
  /^(.*?)(?:에게로|에게다|에게|한테로|한테다|한테|께로|께|더러|앞으로)(?:는|만|도|요|로)?(?:보내.*|송금.*|이체.*|부쳐.*)?$/u;
/** What joins a name to the next one. */
export const JOINED = /^(.+?)(이랑|랑|하고|이하고|와|과)$/u;
const NOT_PERSON =
  /^(?:명|사람|분|함|어저|그|이|저|누구|누군가|아무|본인|나|저희|우리|내|제|걔|얘|쟤|그분|이분|저분|그쪽)$/;
const TITLE_NIM =
  /(?:선생|부모|사장|고객|교수|부장|과장|대리|차장|팀장|실장|원장|회장|대표|이사|목사|기사|어머|아버|할머|할아버|형|누|장모|스|신부|의사|감독|작가|매니저|간호사|변호사|이모|고모|삼촌|며느|아드|따|주인|사모|손|집사|점장|반장|소장|국장)님$/;

/** A name, and the token that it begins with. */
export type Name = { readonly text: string; readonly first: number };

/** The whole name of which `stem` is the last word: 김민수 님, 우리 엄마, 김 대리님, 민수 형. */
export function fullName(tokens: readonly Token[], at: number, stem: string): Name | undefined {
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

export function isWholeName(word: string): boolean {
  const isOther = KO_KIN.test(word) || KO_TITLE.test(word) || KO_OWN.test(word) || JOINED.test(word);
  return isOther ? false : isKoreanName(word) || /^\p{Lu}[\p{L}'-]+$/u.test(word);
}

export function joins(previous: string, name: string): boolean {
  if (KO_OWN.test(previous)) return KO_KIN.test(name) || /^[가-힣]{2,4}$/.test(name);
  if (/^[가-힣]$/.test(previous)) return SURNAMES.includes(previous) && /^[가-힣]{1,4}$/.test(name);
  return KO_KIN.test(name) && !KO_KIN.test(previous) && isKoreanName(previous) && !JOINED.test(previous);
}

/** Without what politeness and particles add: 김민수님 is 김민수, 지훈이 is 지훈. */
export function bare(titled: string): string {
  if (KO_KIN.test(titled)) return titled;
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

/** Whether each of several people gets the amount. */
export function isShared(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }) => /^(?:씩|각각|각자|똑같이)/.test(text));
}
