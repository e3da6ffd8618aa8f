import { fullName, isShared, isWholeName, JOINED, type Name, PARTICLE } from "./korean-name.ts";
import { isKoreanName, KO_KIN } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

const OTHERWISE = /^(.+?)(이나|나)$/u;

type List = { readonly names: readonly string[]; readonly first: number; readonly alternatives: boolean };

/** The names before one: "민수랑", "민수, 영희와", "A랑", "민수나". */
export function listBefore(tokens: readonly Token[], last: number, from: number): List {
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

function whole(tokens: readonly Token[], at: number, stem: string): Name {
  return fullName(tokens, at, stem) ?? { text: stem, first: at };
}

function isName(word: string): boolean {
  return isKoreanName(word) || /^\p{Lu}[\p{L}'’-]*$/u.test(word);
}
