import type { Locale, Localised } from "./types.ts";

/** What the kit says itself. A dialogue replaces the replies of its stages by words of its own. */
export type Texts = {
  readonly ready: (summary: string) => string;
  readonly executed: (summary: string) => string;
  readonly failed: (reason: string) => string;
  readonly cancelled: string;
  readonly unsupported: string;
  readonly notUnderstood: string;
  readonly unclear: string;
  readonly different: (summary: string) => string;
  readonly interrupted: string;
  readonly changed: (label: string, from: string, to: string) => string;
  readonly added: (label: string, value: string) => string;
  readonly removed: (label: string, value: string) => string;
  readonly lostTrack: string;
  readonly tooLong: string;
  readonly more: (count: number, next: string) => string;
  readonly restCancelled: (count: number) => string;
  readonly allCancelled: (count: number) => string;
  readonly place: (index: number, total: number) => string;
  readonly cannotCancel: string;
  readonly nothingLeft: string;
  readonly confirmButtons: readonly [string, string];
  readonly continueButtons: readonly [string, string];
};

function capitalised(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

const en: Texts = {
  ready: (summary) => `${summary}. Shall I go ahead?`,
  executed: (summary) => `Done: ${summary}.`,
  failed: (reason) => `That was refused: ${reason}`,
  cancelled: "Cancelled: it won't be done.",
  unsupported: "I'm sorry, I can't help with that here. Nothing was done.",
  notUnderstood: "Sorry, I didn't get that.",
  unclear: "Sorry, I didn't understand that. Please answer with yes or no, or say what should be different.",
  different: (summary) => `Nothing has been done. So far: ${summary}. What should be different?`,
  interrupted: "Something else was said in between, so please look again.",
  changed: (label, from, to) => `${capitalised(label)} changed: ${from} → ${to}.`,
  added: (label, value) => `${capitalised(label)} added: ${value}.`,
  removed: (label, value) => `${capitalised(label)} removed: ${value}.`,
  lostTrack: "I lost track of where we were, so let's start again.",
  tooLong: "That message is too long for me. Please say it in a few words.",
  more: (count, next) =>
    `${count === 1 ? "One more is" : `${count} more are`} waiting${next === "" ? "" : ` (next: ${next})`}. Shall I continue?`,
  restCancelled: (count) =>
    count === 1 ? "The remaining one is cancelled." : `The remaining ${count} are cancelled.`,
  allCancelled: (count) => `All ${count} are cancelled.`,
  place: (index, total) => `(${index} of ${total})`,
  cannotCancel: "It was done already and can't be undone here.",
  nothingLeft: "That's all. Is there anything else?",
  confirmButtons: ["Confirm", "Cancel"],
  continueButtons: ["Continue", "Cancel"],
};

const ko: Texts = {
  ready: (summary) => `${summary}. 진행할까요?`,
  executed: (summary) => `완료했습니다: ${summary}.`,
  failed: (reason) => `처리되지 않았습니다: ${reason}`,
  cancelled: "취소했습니다. 실행되지 않습니다.",
  unsupported: "죄송합니다. 여기서는 도와드릴 수 없습니다. 아무것도 실행되지 않았습니다.",
  notUnderstood: "죄송합니다, 이해하지 못했습니다.",
  unclear: "죄송합니다, 이해하지 못했습니다. 예 또는 아니요로 답하시거나 바꿀 내용을 말씀해 주세요.",
  different: (summary) => `아직 아무것도 실행되지 않았습니다. 지금까지: ${summary}. 무엇을 바꿀까요?`,
  interrupted: "그 사이에 다른 내용이 있었으니 다시 확인해 주세요.",
  changed: (label, from, to) => `${label} 변경: ${from} → ${to}.`,
  added: (label, value) => `${label} 추가: ${value}.`,
  removed: (label, value) => `${label} 삭제: ${value}.`,
  lostTrack: "이전 대화를 이어갈 수 없어 처음부터 다시 시작할게요.",
  tooLong: "메시지가 너무 깁니다. 짧게 다시 말씀해 주세요.",
  more: (count, next) => `${count}건이 남아 있습니다${next === "" ? "" : `(다음: ${next})`}. 계속할까요?`,
  restCancelled: (count) => `남은 ${count}건은 취소했습니다.`,
  allCancelled: (count) => `${count}건을 모두 취소했습니다.`,
  place: (index, total) => `(${total}건 중 ${index}번째)`,
  cannotCancel: "이미 처리되어 여기서 되돌릴 수 없습니다.",
  nothingLeft: "모두 끝났습니다. 더 필요하신 것이 있으면 말씀해 주세요.",
  confirmButtons: ["확인", "취소"],
  continueButtons: ["계속 진행", "취소"],
};

const TEXTS: Localised<Texts> = { en, ko };

export function textsOf(locale: Locale): Texts {
  return TEXTS[locale];
}
