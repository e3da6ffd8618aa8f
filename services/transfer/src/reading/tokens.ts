/** A word, a mark, or something that was recognised before, such as an amount, which stands for its words. */
export type Token = {
  readonly kind: "word" | "mark" | "amount" | "date" | "account" | "memo";
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

export type Span = Pick<Token, "start" | "end"> & { readonly kind: "amount" | "date" | "account" | "memo" };

const WORD =
  /(?:[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|St|Jr|Sr|\p{Lu})\.(?=\s)|[\p{L}\p{M}\p{N}]+(?:['’.&·-][\p{L}\p{M}\p{N}]+)*|[^\s]/gu;

/** The tokens of a text, in which what the spans cover is one token each. */
export function tokensOf(text: string, spans: readonly Span[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const wordsUpTo = (end: number): void => {
    for (const match of text.slice(at, end).matchAll(WORD)) {
      const [word] = match;
      const start = at + match.index;
      // What sticks to an amount or a date is its particle: "5만원을".
      const isParticle = start === at && at > 0 && /^\p{Script=Hangul}/u.test(word);
      const kind = /^[\p{L}\p{M}\p{N}]/u.test(word) && !isParticle ? "word" : "mark";
      tokens.push({ kind, text: word, start, end: start + word.length });
    }
  };
  for (const { kind, start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    wordsUpTo(start);
    tokens.push({ kind, text: text.slice(start, end), start, end });
    at = end;
  }
  wordsUpTo(text.length);
  return tokens;
}
