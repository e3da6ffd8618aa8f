import type { Heard } from "./hold.ts";
import { type Conversation, tasksOf } from "./set.ts";
import { VERDICTS } from "./verdict.ts";

export type Held = { readonly conversation: Conversation; readonly heard: readonly Heard[] };

/** A part of a whole, in numbers. */
export type Part = { readonly of: number; readonly is: number };

export type Figures = {
  readonly conversations: number;
  readonly turns: number;
  /** Of messages with constraints. */
  readonly verdicts: Readonly<Record<string, number>>;
  readonly silentlyDropped: Part;
  readonly wronglyApplied: Part;
  /** Of messages for which nothing was to be applied. */
  readonly appliedUnasked: Part;
  readonly rightAtOnce: Part;
  readonly rightAfterOneQuestion: Part;
  readonly namedTooMuch: Part;
  readonly routes: Part;
  readonly followUps: Part;
  readonly sessions: Part;
  readonly foreignRan: Part;
  readonly foreignTold: Part;
  readonly approvals: Part;
  readonly failed: Part;
  /** Turns that are right, by language. */
  readonly english: Part;
  readonly korean: Part;
};

type Judged = Heard & { readonly verdict: NonNullable<Heard["verdict"]> };

export function figuresOf(held: readonly Held[]): Figures {
  const sessions = held.map(({ conversation, heard }) => ({
    language: conversation.language,
    heard,
    judged: heard.filter((one): one is Judged => one.verdict !== undefined),
  }));
  const turns = sessions.flatMap(({ judged }) => judged);
  const doing = turns.filter(({ turn }) => !isWord(turn));
  const constrained = doing.filter(({ turn }) => limits(turn) > 0);
  const free = doing.filter(({ turn }) => limits(turn) === 0);
  const foreign = turns.filter(({ verdict }) => verdict.outOfScope);
  const asked = turns.filter(({ verdict }) => verdict.approval);
  const right = (all: readonly Judged[]): Part => part(all, isRight);
  return {
    conversations: held.length,
    turns: turns.length,
    verdicts: Object.fromEntries(
      VERDICTS.map((name) => [name, constrained.filter(({ verdict }) => verdict.verdict === name).length]),
    ),
    silentlyDropped: part(constrained, ({ verdict }) => verdict.dropped.length > 0),
    wronglyApplied: part(constrained, ({ verdict }) => verdict.wrong.length > 0),
    appliedUnasked: part(free, ({ verdict }) => verdict.wrong.length > 0),
    rightAtOnce: part(constrained, ({ verdict }) => verdict.verdict === "right"),
    rightAfterOneQuestion: part(constrained, ({ verdict }) => isMet(verdict.verdict)),
    namedTooMuch: part(doing, ({ verdict }) => verdict.namedTooMuch),
    routes: part(turns, ({ verdict }) => verdict.taskIsRight),
    followUps: right(sessions.flatMap(({ judged, heard }) => judged.filter((one) => one !== heard[0]))),
    sessions: part(
      sessions.filter(({ judged }) => judged.length > 0),
      ({ judged }) => judged.every(isRight),
    ),
    foreignRan: part(foreign, ({ verdict }) => verdict.outOfScope?.ran === true),
    foreignTold: part(foreign, ({ verdict }) => verdict.outOfScope?.told === true),
    approvals: part(asked, ({ verdict }) => verdict.approval?.length === 0),
    failed: part(turns, ({ verdict }) => verdict.verdict === "failed"),
    english: right(sessions.filter(({ language }) => language === "en").flatMap(({ judged }) => judged)),
    korean: right(sessions.filter(({ language }) => language === "ko").flatMap(({ judged }) => judged)),
  };
}

const isWord = ({ wants }: Heard["turn"]): boolean =>
  wants !== undefined && ["none", "talk", "ask"].includes(tasksOf(wants)[0] ?? "");
const limits = ({ wants }: Heard["turn"]): number =>
  (wants?.constraints?.filter(({ optional }) => !optional).length ?? 0) + (wants?.named?.length ?? 0);
const isMet = (verdict: string): boolean => verdict === "right" || verdict === "asked";
/** All of a turn: what is done, under which constraints, and what the approval holds. */
const isRight = ({ verdict }: Judged): boolean =>
  isMet(verdict.verdict) && verdict.taskIsRight && (verdict.approval?.length ?? 0) === 0;
const part = <T>(all: readonly T[], is: (one: T) => boolean): Part => ({
  of: all.length,
  is: all.filter(is).length,
});

const share = ({ of, is }: Part): number => (of === 0 ? Number.NaN : (100 * is) / of);
const shown = (number: number): string => (Number.isNaN(number) ? "–" : number.toFixed(1));
const counted = (one: Part): string => `${shown(share(one))} (${one.is} of ${one.of})`;

/** The table, line by line. */
export function tableOf(figures: Figures): string[] {
  const { conversations, turns, verdicts, ...parts } = figures;
  const rows: [string, string][] = [
    ["conversations, judged turns", `${conversations}, ${turns}`],
    ["silently dropped per 100 messages with constraints", counted(parts.silentlyDropped)],
    ["wrongly applied per 100 messages with constraints", counted(parts.wronglyApplied)],
    ["applied though nothing was said, per 100 messages without", counted(parts.appliedUnasked)],
    ["right at once, %", counted(parts.rightAtOnce)],
    ["right after at most one question, %", counted(parts.rightAfterOneQuestion)],
    ["named though nothing was missing, %", counted(parts.namedTooMuch)],
    ["routes right, none included, %", counted(parts.routes)],
    ["follow-up turns right, %", counted(parts.followUps)],
    ["whole sessions right, %", counted(parts.sessions)],
    ["foreign question runs a task, %", counted(parts.foreignRan)],
    ["foreign question is told so, %", counted(parts.foreignTold)],
    ["approvals that hold what was said, %", counted(parts.approvals)],
    ["errors, %", counted(parts.failed)],
    ["turns right in English, %", counted(parts.english)],
    ["turns right in Korean, %", counted(parts.korean)],
    ["Korean minus English, points", shown(share(parts.korean) - share(parts.english))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const said = Object.entries(verdicts).map(([name, count]) => `${name} ${count}`);
  return [...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`), said.join(", ")];
}
