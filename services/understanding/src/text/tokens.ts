/** A word, a number or a mark of a text. */
export type Token = {
  kind: "word" | "number" | "mark";
  /** The word in lower case, without a possessive 's; the digits of a number as written. */
  norm: string;
  start: number;
  end: number;
  /** It follows the token before without a blank. */
  glued: boolean;
  /** Written in capitals. */
  capitals: boolean;
  /** Written in Hangul. */
  hangul: boolean;
};

/** Whether a word is one of a name of the inputs. */
export type IsName = (word: string) => boolean;

/**
 * Cuts a run of Hangul into words; what it does not know stays in one piece.
 * @param before the word before it
 */
export type CutHangul = (
  run: string,
  afterOther: boolean,
  isName?: IsName,
  before?: string,
) => readonly string[];

const DIGIT = 1;
const LETTER = 2;
const SPACE = 3;
const HANGUL = 4;
const MARK = 0;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/\d/.test(char)) return DIGIT;
  if (/[a-z]/i.test(char)) return LETTER;
  return /\s/.test(char) && char !== "\n" ? SPACE : MARK;
});

function classOf(code: number): number {
  if (code < 128) return ASCII[code] ?? MARK;
  if (code >= 0xac00 && code <= 0xd7a3) return HANGUL;
  const char = String.fromCharCode(code);
  if (/\p{L}|\p{M}/u.test(char) || (code >= 0xd800 && code <= 0xdfff)) return LETTER;
  return /\s/.test(char) ? SPACE : MARK;
}

/** Letters that make a number of the digits before them, and are no part of a name: "5pct", "10k". */
const UNITS = /^(?:pct|percent|bps?|pp|ppts?|k|m|mio|mn|bn|eur|usd|gbp|x|am|pm|h|hrs?|pcs)$/;

/** @param text in the form that `plainText` gives */
export function tokenize(text: string, cut: CutHangul, isName?: IsName): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let space = true;
  const add = (kind: Token["kind"], end: number, raw: string, hangul = false): void => {
    const lower = raw.toLowerCase();
    const capitals = kind === "word" && lower !== raw && raw.toUpperCase() === raw;
    const norm = lower.endsWith("'s") ? lower.slice(0, -2) : lower;
    tokens.push({ kind, norm, start: at, end, glued: !space, capitals, hangul });
    at = end;
    space = false;
  };
  while (at < text.length) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === SPACE) {
      space = true;
      at++;
    } else if (kind === LETTER) {
      const end = wordEnd(text, at);
      add("word", end, text.slice(at, end));
    } else if (kind === HANGUL) {
      let end = at;
      while (end < text.length && classOf(text.charCodeAt(end)) === HANGUL) end++;
      for (const word of cut(text.slice(at, end), !space, isName, tokens.at(-1)?.norm)) {
        add("word", at + word.length, word, true);
      }
    } else if (kind === DIGIT || (space && text[at] === "." && ASCII[text.charCodeAt(at + 1)] === DIGIT)) {
      addNumber();
    } else if (isDash(text, at)) {
      at++;
    } else {
      const end = at + markLength(text, at);
      const mark = text.slice(at, end);
      add("mark", end, isPause(text, at) ? "," : (MARKS.get(mark) ?? mark));
    }
  }
  return tokens;

  function addNumber(): void {
    const digits = numberEnd(text, at);
    let end = digits;
    while (end < text.length && isAlphanumeric(classOf(text.charCodeAt(end)))) end++;
    const letters = text.slice(digits, end).toLowerCase();
    if (letters === "" || UNITS.test(letters)) {
      add("number", digits, text.slice(at, digits));
      if (letters !== "") add("word", end, /^h/.test(letters) ? "hours" : text.slice(at, end));
    } else add("word", end, text.slice(at, end));
  }
}

/** Marks that stand for others. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ["+/-", "±"],
  ["\n", ";"],
]);

function markLength(text: string, at: number): number {
  const first = text[at];
  if (first === "+") return text.startsWith("+/-", at) ? 3 : 1;
  return (first === "<" || first === ">") && text[at + 1] === "=" ? 2 : 1;
}

/** A dash inside of a word or name joins its parts; one between digits is a range, and one before digits a sign. */
function isDash(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if ((code !== 45 && code !== 95) || at === 0 || at + 1 >= text.length) return false;
  const before = classOf(text.charCodeAt(at - 1));
  const after = classOf(text.charCodeAt(at + 1));
  return isAlphanumeric(before) && isAlphanumeric(after) && !(before === DIGIT && after === DIGIT);
}

/** "by 9 % - where …": a dash between spaces parts clauses, unless an amount follows, of which it may be the sign or the range. */
const isPause = (text: string, at: number): boolean =>
  text[at] === "-" && text[at - 1] === " " && PAUSE.test(text.slice(at, at + LONGEST_PAUSE));

const PAUSE = /^- +[^\s\d$€£¥₩.]/;
const LONGEST_PAUSE = 8;

const isAlphanumeric = (kind: number): boolean => kind === LETTER || kind === DIGIT;

/** A word may have digits and apostrophes inside. */
function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const inside = code === 39 && classOf(text.charCodeAt(end + 1)) === LETTER;
    if (!inside && !isAlphanumeric(classOf(code))) break;
    end++;
  }
  return end;
}

/** A number may have points, commas and apostrophes between its digits. */
function numberEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const inside = (code === 44 || code === 46 || code === 39) && ASCII[text.charCodeAt(end + 1)] === DIGIT;
    if (!inside && ASCII[code] !== DIGIT) break;
    end++;
  }
  return end;
}

/** Whether a word has a digit, in any script. */
export function hasDigit(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code >= 48 && code <= 57) return true;
    if (code > 127) return /\p{N}/u.test(word);
  }
  return false;
}

/** The text with one form for each quote, dash, width and fraction, so that places in it are places in what `tokenize` reads. */
export function plainText(text: string): string {
  // Nearly all messages are ASCII.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text
    .replace(/(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e])/g, " ")
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\p{Cf}/gu, "");
}
