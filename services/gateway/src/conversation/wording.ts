/** The languages that the gateway itself speaks. An agent's answer is in the agent's own. */
export type Language = "en" | "ko";

/** What they are called where a model is told which one to use. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", ko: "Korean" };

const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/;

export function languageOf(text: string): Language {
  return HANGUL.test(text) ? "ko" : "en";
}

/** What the gateway itself says in a conversation. */
type Wording = {
  unclear: (options: readonly string[]) => string;
  /** Before the question what is wanted, where it may be something that nobody here does. */
  perhapsNot: string;
  /** A message can be read in several ways. */
  whichReading: (readings: readonly string[]) => string;
  /** The reading that nothing is constrained. */
  noConstraint: string;
  /** How a message was read, where that is likely to be wrong. @param about the constraints, and what they are about */
  readSo: (label: string, about: string) => string;
  /** What holds whatever the answer to a question is. */
  eitherWay: (constraints: string) => string;
  /** A selection by what it leaves out. */
  allBut: (names: readonly string[]) => string;
  /** What a page says where the user takes a constraint back by a click. */
  takeBack: (label: string) => string;
  readRight: string;
  readWrong: string;
  /** It was read wrong. */
  sayOtherwise: string;
  undone: string;
  nothingToUndo: string;
  startedOver: string;
  inputsGone: string;
  /** A dialogue was left. */
  kept: (label: string) => string;
  /** Label of the button that continues a dialogue. */
  goOn: (label: string) => string;
  /** Asks before something takes effect. @param changed what is not as it was when the user was asked the last time */
  shall: (label: string, changed: readonly string[] | undefined) => string;
  /** The same, where words of the order were not read. */
  shallUnread: (label: string) => string;
  notDone: (label: string) => string;
  notApplied: (phrases: readonly string[]) => string;
  /** What the answer is about: the name of the inputs, absent where they have none, and how many there are of what. */
  about: (name: string | undefined, counted: Counted | undefined) => string;
  /** A request for approval is taken back. */
  withdrawn: (what: string) => string;
  /** Whether it is to be. */
  withdraw: (what: string) => string;
  /** Which of several. */
  withdrawWhich: (requests: readonly string[]) => string;
  /** One in a list. */
  waiting: (what: string, id: string, since: string) => string;
  /** What a button says that takes it back. */
  withdrawButton: (id: string) => string;
  /** It was decided before. */
  decided: (what: string, state: string, by: string, done: boolean) => string;
  decidedBy: (by: string, at: string) => string;
  /** What stands behind the command, and was not done. */
  sayRest: string;
};

/** @property of the label of what is counted */
export type Counted = { readonly count: number; readonly of: string };

const quoted = (phrases: readonly string[]): string => phrases.map((phrase) => `“${phrase}”`).join(", ");

/** How a request ended. */
const DECIDED_KO: Readonly<Record<string, string>> = {
  approved: "승인",
  rejected: "거절",
  expired: "만료",
  cancelled: "취소",
  withdrawn: "철회",
};

/** What an order with an effect is made of. */
const PARTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { slots: "the constraints", inputs: "the inputs", proposal: "the proposal" },
  ko: { slots: "제약", inputs: "입력 데이터", proposal: "제안" },
};

const WORDINGS: Readonly<Record<Language, Wording>> = {
  en: {
    perhapsNot: "Perhaps I cannot do that.",
    unclear: (options) => `What would you like: ${listed(options, "or")}?`,
    whichReading: (readings) =>
      `How is that meant: ${listed(
        readings.map((one) => `“${one}”`),
        "or",
      )}?`,
    noConstraint: "No such limit",
    readSo: (label, about) => `I read it so: “${label}”. ${about}\n\nShall I go on?`,
    eitherWay: (constraints) => `In either case: ${constraints}.`,
    allBut: (names) => `all but ${listed(names, "and")}`,
    readRight: "Yes, like that",
    readWrong: "No, something is different",
    takeBack: (label) => `Remove the ${label}`,
    sayOtherwise: "Nothing was done. What is different?",
    undone: "Undone.",
    nothingToUndo: "There is nothing to undo.",
    startedOver: "Started over: no constraint, proposal or inputs of before are in use.",
    inputsGone:
      "The inputs of this conversation are not kept any more. Please send them again, or start over.",
    kept: (label) =>
      `“${label}” is kept as it is. Say “continue” whenever you would like to go on with it. What else can I do for you?`,
    goOn: (label) => `Continue: ${label}`,
    shall: (label, changed) =>
      changed
        ? `Not done: “${label}”. ${
            changed.length > 0
              ? `Since you were asked, this has changed: ${listed(
                  changed.map((part) => PARTS.en[part] ?? part),
                  "and",
                )}.`
              : "That button is of an earlier answer."
          } Shall I do it as it is now?`
        : `Not done: “${label}” wants a clear order. Shall I do it?`,
    shallUnread: (label) =>
      `Not done: “${label}”, as a part of what you said is not applied: the first line names it. Shall I do it without?`,
    notDone: (label) => `Nothing was done: “${label}”.`,
    notApplied: (phrases) => `Not applied: ${quoted(phrases)}.`,
    about: (name = "your inputs", counted) =>
      counted ? `${name}, ${counted.count} ${counted.of}${counted.count === 1 ? "" : "s"}` : name,
    withdrawn: (what) => `Withdrawn: the request to approve “${what}”. It is not done.`,
    withdraw: (what) => `Is the request to approve “${what}” to be withdrawn?`,
    withdrawWhich: (requests) =>
      `Several requests wait for approval. Which one is to be withdrawn?\n\n${requests.join("\n")}`,
    waiting: (what, id, since) => `- “${what}”, asked for at ${since}: ${id}`,
    withdrawButton: (id) => `Withdraw approval ${id}`,
    decided: (what, state, by, done) =>
      `There is nothing left to withdraw: “${what}” was ${state} already${by}.${done ? " It is done, and stays." : ""}`,
    decidedBy: (by, at) => ` by ${by} at ${at}`,
    sayRest: "Nothing else was done. If you want the rest of the message, please say so:",
  },
  ko: {
    perhapsNot: "그것은 제가 할 수 없을지도 모릅니다.",
    unclear: (options) => `무엇을 원하시나요? ${options.join(" / ")}`,
    whichReading: (readings) => `어느 쪽인가요? ${readings.map((one) => `“${one}”`).join(" / ")}`,
    noConstraint: "그런 조건 없음",
    readSo: (label, about) => `이렇게 이해했습니다: “${label}”. ${about}\n\n이대로 진행할까요?`,
    eitherWay: (constraints) => `어느 쪽이든: ${constraints}.`,
    allBut: (names) => `${names.join("·")} 외 전부`,
    readRight: "네, 그렇게 해 주세요",
    readWrong: "아니요, 다른 부분이 있어요",
    takeBack: (label) => `${label} 조건 없애 줘`,
    sayOtherwise: "아무것도 실행하지 않았습니다. 무엇이 다른가요?",
    undone: "되돌렸습니다.",
    nothingToUndo: "되돌릴 것이 없습니다.",
    startedOver: "처음부터 다시 시작합니다. 이전의 제약, 제안, 입력은 사용하지 않습니다.",
    inputsGone:
      "이 대화의 입력 데이터가 더 이상 보관되어 있지 않습니다. 다시 보내 주시거나 처음부터 시작해 주세요.",
    kept: (label) =>
      `“${label}” 내용은 그대로 두었습니다. 다시 하시려면 언제든 “계속”이라고 말씀해 주세요. 무엇을 도와드릴까요?`,
    goOn: (label) => `계속: ${label}`,
    shall: (label, changed) =>
      changed
        ? `실행하지 않았습니다: “${label}”. ${changed.length > 0 ? `확인을 요청한 뒤에 바뀐 것: ${changed.map((part) => PARTS.ko[part] ?? part).join(", ")}.` : "이전 답변의 버튼입니다."} 지금 상태로 실행할까요?`
        : `실행하지 않았습니다: “${label}”에는 분명한 지시가 필요합니다. 실행할까요?`,
    shallUnread: (label) =>
      `실행하지 않았습니다: “${label}”. 말씀하신 내용 중 적용하지 못한 부분이 첫 줄에 있습니다. 그 부분 없이 실행할까요?`,
    notDone: (label) => `아무것도 실행하지 않았습니다: “${label}”.`,
    notApplied: (phrases) => `적용하지 못함: ${quoted(phrases)}.`,
    about: (name = "보내신 데이터", counted) =>
      counted ? `${name}, ${counted.count}개 ${counted.of}` : name,
    withdrawn: (what) => `“${what}” 승인 요청을 철회했습니다. 실행되지 않습니다.`,
    withdraw: (what) => `“${what}” 승인 요청을 철회할까요?`,
    withdrawWhich: (requests) =>
      `승인을 기다리는 요청이 여러 건 있습니다. 어느 것을 철회할까요?\n\n${requests.join("\n")}`,
    waiting: (what, id, since) => `- “${what}”, 요청 시각 ${since}: ${id}`,
    withdrawButton: (id) => `승인 요청 ${id} 철회`,
    decided: (what, state, by, done) =>
      `철회할 것이 없습니다. “${what}” 요청은 이미 ${DECIDED_KO[state] ?? state}되었습니다${by}.${done ? " 이미 실행되어 그대로 남습니다." : ""}`,
    decidedBy: (by, at) => ` (${by}, ${at})`,
    sayRest: "그 밖에는 아무것도 실행하지 않았습니다. 나머지 내용을 원하시면 다시 말씀해 주세요:",
  },
};

export function wording(language: Language): Wording {
  return WORDINGS[language];
}

function listed(parts: readonly string[], word: string): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
