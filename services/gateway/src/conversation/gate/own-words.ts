/** A sentence of the user's own. */
export type Sentence = { text: string; isQuestion: boolean };

/** Characters of a message that is read for an order: what is longer was hardly typed for it. */
const LONGEST = 1_500;

/** Placeholder for quoted text. */
export const QUOTED = "◌";

/** Between quotation marks, in back quotes or in a code block; one that is not closed goes on to the end. */
const QUOTES =
  /```[\s\S]*?(?:```|$)|`[^`]*(?:`|$)|"[^"]*(?:"|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)|(?<![\p{L}\p{N}])['‘](?=\S)[^'’\n]*(?:['’](?![\p{L}\p{N}])|(?=\n)|$)/gu;
/** Lines of what was pasted: a quotation, a table, a list, a part of a log. */
const PASTED_LINE = /^\s*(?:[>|#*•\-[{(<]|\d+[.)]\s|\d{1,2}:\d\d)/;
/** Marks the beginning of forwarded text in a message. */
const FORWARDED =
  /^\s*(?:(?:from|sent|to|cc|subject|date|fwd?|re|보낸 ?사람|받는 ?사람|제목|날짜|참조)\s*:|-{3,}|_{3,}|={3,}|.*\b(?:forwarded|original) message\b|on .{1,200} wrote:|.{1,100}님이 (?:작성|보낸))/iu;
/** Greeting or closing of a letter, which anybody may have written. */
const LETTER =
  /(?:^|\n)\s*(?:dear\b|(?:[Hh]i|[Hh]ello|[Hh]ey)\s+\p{Lu}\p{L}+\s*[,\n])|\b(?:[Rr]egards|[Ss]incerely|[Yy]ours truly)\b|(?:올림|드림)\s*$/u;

/** Between sentences; a line that goes on in small letters goes on with its sentence. */
const BETWEEN = /(?<=[.!?…。！？])\s+|(?<=[.!?…。！？])(?=\p{L}{2})|;\s*|\n+/u;

/**
 * The sentences of a message that are the user's own: nothing that is quoted, pasted, forwarded or code.
 * @returns none where the message as a whole is hardly the user's own
 */
export function ownSentences(message: string): readonly Sentence[] {
  if (message.length > LONGEST || LETTER.test(message)) return [];
  const plain = message
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Extended_Pictographic}]/gu, "")
    .replace(/\r\n?/g, "\n");
  const lines = plain.replace(QUOTES, QUOTED).split("\n");
  const foreign = lines.findIndex((line) => FORWARDED.test(line));
  return lines
    .slice(0, foreign < 0 ? undefined : foreign)
    .filter((line) => !PASTED_LINE.test(line))
    .join("\n")
    .replace(/(?<![.!?…。！？:;\s])[ \t]*\n(?=\p{Ll})/gu, " ")
    .split(BETWEEN)
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .map((part) => ({
      text: part.replace(/[’‘]/g, "'").replace(/[.!?…。！？~\s]+$/u, ""),
      isQuestion: /[?？][.!?…。！？\s]*$/.test(part),
    }));
}
