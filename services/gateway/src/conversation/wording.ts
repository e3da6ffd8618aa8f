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
  undone: string;
  nothingToUndo: string;
  startedOver: string;
  inputsGone: string;
  /** A dialogue was left. */
  kept: (label: string) => string;
  /** What a button says that goes on with a dialogue. */
  goOn: (label: string) => string;
  notApplied: (phrases: readonly string[]) => string;
  sample: (name: string, count: number | undefined) => string;
  given: (name: string | undefined, count: number | undefined) => string;
};

const quoted = (phrases: readonly string[]): string => phrases.map((phrase) => `“${phrase}”`).join(", ");

const WORDINGS: Readonly<Record<Language, Wording>> = {
  en: {
    unclear: (options) => `What would you like: ${listed(options, "or")}?`,
    undone: "Undone.",
    nothingToUndo: "There is nothing to undo.",
    startedOver: "Started over: no constraint, proposal or inputs of before are in use.",
    inputsGone:
      "The inputs of this conversation are not kept any more. Please send them again, or start over.",
    kept: (label) =>
      `“${label}” is kept as it is. Say “continue” whenever you would like to go on with it. What else can I do for you?`,
    goOn: (label) => `Continue: ${label}`,
    notApplied: (phrases) => `Not applied: ${quoted(phrases)}.`,
    sample: (name, count) => `${name}${count === undefined ? "" : `, ${count} items`}`,
    given: (name, count) => `${name ?? "your inputs"}${count === undefined ? "" : `, ${count} items`}`,
  },
  ko: {
    unclear: (options) => `무엇을 원하시나요? ${options.join(" / ")}`,
    undone: "되돌렸습니다.",
    nothingToUndo: "되돌릴 것이 없습니다.",
    startedOver: "처음부터 다시 시작합니다. 이전의 제약, 제안, 입력은 사용하지 않습니다.",
    inputsGone:
      "이 대화의 입력 데이터가 더 이상 보관되어 있지 않습니다. 다시 보내 주시거나 처음부터 시작해 주세요.",
    kept: (label) =>
      `“${label}” 내용은 그대로 두었습니다. 다시 하시려면 언제든 “계속”이라고 말씀해 주세요. 무엇을 도와드릴까요?`,
    goOn: (label) => `계속: ${label}`,
    notApplied: (phrases) => `적용하지 못함: ${quoted(phrases)}.`,
    sample: (name, count) => `${name}${count === undefined ? "" : `, ${count}개 품목`}`,
    given: (name, count) => `${name ?? "보내신 데이터"}${count === undefined ? "" : `, ${count}개 품목`}`,
  },
};

export function wording(language: Language): Wording {
  return WORDINGS[language];
}

function listed(parts: readonly string[], word: string): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
