import { currencyAt } from "../amounts/currencies.ts";

/** Words around a currency that is said to be another one; anything else says more than that. */
const AROUND_EN =
  /^(?:no|nope|nah|oh|ah|um|uh|oops|wait|sorry|sry|hey|actually|i|i'?m|it|it's|its|that|that's|this|the|a|currency|should|be|is|was|were|in|into|to|as|mean|meant|want|wanted|need|make|change|switch|use|send|do|convert|set|please|pls|plz|instead|rather|but|say|said|thanks|ok|okay|yes|my|bad|amount|same|number|for|me|us|can|could|you|have|u)$/i;
const AROUND_KO =
  /^(?:아|어|음|앗|저기|저기요|참|네|응|아니\S*|아뇨|아냐|그게|그거|그건|그냥|좀|다시|통화\S*|단위\S*|돈은|금액은|바꿔\S*|바꿀\S*|변경\S*|수정\S*|고쳐\S*|해|해\S*|하는\S*|할게\S*|할래\S*|했어야\S*|보내\S*|보낼\S*|부탁\S*|죄송\S*|미안\S*|잘못|실수\S*|착각\S*|말한\S*|말했\S*|였어\S*|이었어\S*|주세요|줘|기준\S*)$/u;
const REFUSES = /^(?:not|from|instead|than|isn'?t|aren'?t)$/i;
const KO_REFUSES = /^\s?(?:이|가)?\s?(?:말고|아니라|아니고|아니야|아니에요|아닌|대신에?|에서)(?![가-힣])/u;
const PARTICLE =
  /(?:으로요|로요|으로|로|이요|요|이에요|예요|이야|야|입니다|이라고|라고|인데|은|는|이|가|를|을)?(?![\p{L}\p{N}])/uy;

/** The currency of a message that names one and nothing else: "no, euros", "달러 말고 유로로". The one that is refused does not count. */
export function currencyOnly(text: string): string | undefined {
  if (text.length > 80) return undefined;
  const wanted: string[] = [];
  let isRefused = false;
  for (let at = 0; at < text.length; ) {
    const gap = /[\s,.!~'"]*/uy;
    gap.lastIndex = at;
    gap.test(text);
    at = gap.lastIndex;
    if (at >= text.length) break;
    const named = currencyAt(text, at);
    const end = named && particleEnd(text, named.end);
    if (named !== undefined && end !== undefined) {
      const behind = KO_REFUSES.exec(text.slice(end));
      if (!isRefused && behind === null) wanted.push(text.slice(at, named.end));
      isRefused = false;
      at = end + (behind?.[0].length ?? 0);
      continue;
    }
    const word = /[^\s,.!~]+/u.exec(text.slice(at))?.[0] ?? "";
    if (
      word === "" ||
      !(REFUSES.test(word) || /^of$/i.test(word) || AROUND_EN.test(word) || AROUND_KO.test(word))
    )
      return undefined;
    isRefused = REFUSES.test(word) || (isRefused && /^(?:of|in|the)$/i.test(word));
    at += word.length;
  }
  return wanted.length === 1 ? wanted[0] : undefined;
}

function particleEnd(text: string, at: number): number | undefined {
  // The refusal may stick: "달러말고".
  if (KO_REFUSES.test(text.slice(at))) return at;
  PARTICLE.lastIndex = at;
  const found = PARTICLE.exec(text);
  return found === null ? undefined : at + found[0].length;
}
