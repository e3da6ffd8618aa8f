import { constraintsIn, decisionsIn, namesIn, numbersIn, quote, startsOver, undoes } from "./phrases.ts";

/** What one turn said: the user's message, and all that answered it. */
export type SaidTurn = { user?: string | undefined; answer?: string | undefined };

const KINDS = ["constraint", "decision", "number", "name", "asked"] as const;
type Kind = (typeof KINDS)[number];

/** One quotation. */
type Note = {
  kind: Kind;
  text: string;
  /** The number of its turn, from 1. */
  turn: number;
  /** Of a constraint: which later ones take its place. */
  key?: string;
  /** Of a constraint: what it took the place of. */
  before?: Note;
};

/** What a conversation keeps of turns that it does not keep as they were. It quotes; nothing in it is rephrased. */
export type Summary = {
  /** How many turns it stands for. */
  turns: number;
  text: string;
  korean: boolean;
  notes: readonly Note[];
};

/** Characters of a summary's text. */
const LONGEST_SUMMARY = 2_400;
const LONGEST_ASK = 100;
/** Of one turn, so that a long answer does not drive out everything else. */
const MOST = { number: 4, name: 8, decision: 4 } as const;

const EMPTY: Summary = { turns: 0, text: "", korean: false, notes: [] };

/**
 * Adds turns to a summary, oldest first. What takes too much room gives way: the oldest details first, constraints and decisions last.
 * @param before undefined for none
 */
export function extendSummary(before: Summary | undefined, said: readonly SaidTurn[]): Summary {
  let { turns, korean, notes } = before ?? EMPTY;
  for (const turn of said) {
    turns += 1;
    notes = withTurn(notes, turn, turns);
    if (turn.user !== undefined) korean = /\p{Script=Hangul}/u.test(turn.user);
  }
  for (;;) {
    const summary = { turns, korean, notes, text: textOf(notes, turns, korean) };
    const victim = summary.text.length > LONGEST_SUMMARY ? leastNeeded(notes) : undefined;
    if (!victim) return summary;
    notes = notes.filter((note) => note !== victim);
  }
}

/** @param text what {@link extendSummary} gave, as JSON */
export function readSummary(text: string | undefined): Summary | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Summary);
}

function withTurn(
  notes: readonly Note[],
  { user = "", answer = "" }: SaidTurn,
  turn: number,
): readonly Note[] {
  const note = (kind: Kind, texts: readonly string[]): Note[] => texts.map((text) => ({ kind, text, turn }));
  const names = [...new Set([...namesIn(user), ...namesIn(answer)])];
  const details = [
    ...note("decision", decisionsIn(answer).slice(0, MOST.decision)),
    ...note("number", numbersIn(answer).slice(0, MOST.number)),
    ...note("name", names.slice(0, MOST.name)),
    ...note("asked", user.trim() === "" ? [] : [quote(user, LONGEST_ASK)]),
  ];
  const known = new Set(details.map(({ kind, text }) => `${kind} ${text}`));
  const kept = inForce(notes, user, turn).filter(({ kind, text }) => !known.has(`${kind} ${text}`));
  return [...kept, ...details];
}

/** The notes with the constraints that are in force after a message. */
function inForce(notes: readonly Note[], message: string, turn: number): readonly Note[] {
  if (startsOver(message)) return notes.filter(({ kind }) => kind !== "constraint");
  if (undoes(message)) return withoutLatest(notes);
  let all = notes;
  for (const { key, text } of constraintsIn(message)) {
    const earlier = all.find((note) => note.kind === "constraint" && note.key === key);
    const note: Note = { kind: "constraint", text, turn, key };
    if (earlier) {
      const { before: _, ...replaced } = earlier;
      note.before = replaced;
    }
    all = [...all.filter((one) => one !== earlier), note];
  }
  return all;
}

/** Takes back the constraints of the latest turn that said some; those that they had replaced are in force again. */
function withoutLatest(notes: readonly Note[]): readonly Note[] {
  const latest = Math.max(...notes.map(({ kind, turn }) => (kind === "constraint" ? turn : 0)));
  return notes.flatMap((note) => {
    if (note.kind !== "constraint" || note.turn !== latest) return note;
    return note.before ? [note.before] : [];
  });
}

/** The order in which kinds give way: details by age, then decisions, then constraints. */
const RANK = { asked: 0, number: 0, name: 0, decision: 1, constraint: 2 } as const satisfies Record<
  Kind,
  number
>;

function leastNeeded(notes: readonly Note[]): Note | undefined {
  return notes.reduce<Note | undefined>((least, note) => {
    if (!least) return note;
    const order = RANK[note.kind] - RANK[least.kind] || note.turn - least.turn;
    return order < 0 ? note : least;
  }, undefined);
}

const HEADINGS = {
  en: {
    constraint: "Constraints, the latest last",
    decision: "Decisions",
    number: "Numbers",
    name: "Names",
    asked: "Asked",
  },
  ko: { constraint: "조건 (최신이 마지막)", decision: "결정", number: "수치", name: "이름", asked: "요청" },
} as const satisfies Record<string, Record<Kind, string>>;

function textOf(notes: readonly Note[], turns: number, korean: boolean): string {
  const headings = HEADINGS[korean ? "ko" : "en"];
  const lines = KINDS.flatMap((kind) => {
    const texts = notes.flatMap((note) => (note.kind === kind ? [note.text] : []));
    return texts.length === 0 ? [] : [`${headings[kind]}: ${texts.join(kind === "name" ? ", " : " | ")}`];
  });
  const first = korean
    ? `이전 대화 ${turns}턴 요약.`
    : `Summary of ${turns} earlier turn${turns === 1 ? "" : "s"}.`;
  return [first, ...lines].join("\n");
}
