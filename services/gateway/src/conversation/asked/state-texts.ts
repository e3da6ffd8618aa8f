import type { Language } from "../wording.ts";

/** What the answer to a question of the state says. Names and times are put in as they are shown. */
export type StateTexts = {
  /** What a button says that asks for the state. */
  button: string;
  waiting: (count: number) => string;
  nothingWaits: string;
  decided: string;
  published: string;
  nothingPublished: string;
  more: (count: number) => string;
  asked: (what: string, by: string, approval: string) => string;
  waits: (since: string, until: string) => string;
  deciders: (roles: readonly string[], fourEyes: boolean) => string;
  /** By how it was decided. */
  outcome: Readonly<Record<string, (by: string, at: string) => string>>;
  note: (text: string) => string;
  inBook: (at: string, book: string) => string;
  notInBook: string;
  notYet: string;
  entry: (book: string, at: string, by: { asked?: string; approved?: string }) => string;
  notAnswered: (parts: readonly string[]) => string;
  before: string;
};

const quoted = (parts: readonly string[]): string => parts.map((part) => `“${part}”`).join(", ");

export const STATE_TEXTS: Readonly<Record<Language, StateTexts>> = {
  en: {
    button: "What waits for approval?",
    waiting: (count) =>
      count === 1 ? "One request waits for approval:" : `${count} requests wait for approval:`,
    nothingWaits: "Nothing that you may see waits for approval.",
    decided: "Decided:",
    published: "Published last:",
    nothingPublished: "Nothing that you may see has been published.",
    more: (count) => `… and ${count} more`,
    asked: (what, by, approval) => `“${what}”, asked for by ${by} (approval ${approval})`,
    waits: (since, until) => `waits since ${since}, until ${until}`,
    deciders: (roles, fourEyes) =>
      `It may be decided by: ${roles.join(", ")}${fourEyes ? "; whoever asked for it cannot approve it" : ""}.`,
    outcome: {
      approved: (by, at) => `approved by ${by} on ${at}`,
      rejected: (by, at) => `rejected by ${by} on ${at}`,
      expired: (_, at) => `expired on ${at}`,
      cancelled: (by, at) => `cancelled by ${by} on ${at}`,
      withdrawn: (by, at) => `withdrawn by ${by} on ${at}`,
    },
    note: (text) => `, with the comment “${text}”`,
    inBook: (at, book) => `Published in “${book}” on ${at}.`,
    notInBook: "Nothing of it was published.",
    notYet: "Not published yet.",
    entry: (book, at, { asked, approved }) =>
      [
        `“${book}”, ${at}`,
        ...(asked === undefined ? [] : [`asked for by ${asked}`]),
        ...(approved === undefined ? ["without an approval"] : [`approved by ${approved}`]),
      ].join(", "),
    notAnswered: (parts) => `I have not answered: ${quoted(parts)}.`,
    before: "Before what this message asks for:",
  },
  ko: {
    button: "승인 대기 중인 것은?",
    waiting: (count) => `승인 대기 중인 요청 ${count}건:`,
    nothingWaits: "보실 수 있는 승인 대기 요청이 없습니다.",
    decided: "결정된 요청:",
    published: "최근 게시:",
    nothingPublished: "보실 수 있는 게시 내역이 없습니다.",
    more: (count) => `… 외 ${count}건`,
    asked: (what, by, approval) => `“${what}”, 요청자 ${by} (승인 ${approval})`,
    waits: (since, until) => `${since}부터 대기 중, 기한 ${until}`,
    deciders: (roles, fourEyes) =>
      `결정할 수 있는 역할: ${roles.join(", ")}${fourEyes ? " (요청자 본인은 승인할 수 없음)" : ""}.`,
    outcome: {
      approved: (by, at) => `${at}에 ${by} 님이 승인`,
      rejected: (by, at) => `${at}에 ${by} 님이 반려`,
      expired: (_, at) => `${at}에 만료`,
      cancelled: (by, at) => `${at}에 ${by} 님이 취소`,
      withdrawn: (by, at) => `${at}에 ${by} 님이 철회`,
    },
    note: (text) => `, 의견 “${text}”`,
    inBook: (at, book) => `${at}에 “${book}”에 게시됨.`,
    notInBook: "게시되지 않았습니다.",
    notYet: "아직 게시되지 않았습니다.",
    entry: (book, at, { asked, approved }) =>
      [
        `“${book}”, ${at}`,
        ...(asked === undefined ? [] : [`요청자 ${asked}`]),
        approved === undefined ? "승인 없이" : `승인자 ${approved}`,
      ].join(", "),
    notAnswered: (parts) => `답하지 못한 질문: ${quoted(parts)}.`,
    before: "이 메시지의 요청 이전 상태:",
  },
};

const FORMATS: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
  ko: new Intl.DateTimeFormat("ko-KR", {
    ...{ dateStyle: "long", timeStyle: "short", hourCycle: "h23", timeZone: "UTC" },
  }),
};

/** "23 Nov 2026, 22:20 UTC": nobody knows where the reader is. */
export const timeOf = (ms: number, language: Language): string => `${FORMATS[language].format(ms)} UTC`;
