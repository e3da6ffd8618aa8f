import type { Localised, Replies, View } from "@interlock/agent-kit";
import { hasFinal } from "./reading/korean-name.ts";
import type { TransferSlots } from "./slots.ts";

type TransferView = View<TransferSlots>;

function extrasEn({ slots }: TransferView): string {
  return `${slots.date ? ` on ${slots.date}` : ""}${slots.memo ? ` (memo: ${slots.memo})` : ""}`;
}

/** With the object particle that its last syllable takes: 50,000원을, 20달러를. */
function amountKo({ shown }: TransferView): string {
  const amount = shown("amount");
  const last = amount.at(-1) ?? "";
  return `${amount}${/[가-힣]/.test(last) && !hasFinal(last) ? "를" : "을"}`;
}

function extrasKo({ slots }: TransferView): string {
  return `${slots.date ? ` (${slots.date})` : ""}${slots.memo ? ` (메모: ${slots.memo})` : ""}`;
}

const en: Replies<TransferSlots> = {
  FILLING: ({ slots, shown }) => {
    if (slots.target === undefined && slots.amount === undefined) return "Who should get it, and how much?";
    if (slots.amount === undefined) return `How much should I send to ${shown("target")}?`;
    return slots.target === undefined ? `Who should get ${shown("amount")}?` : undefined;
  },
  READY: (view) => `Send ${view.shown("amount")} to ${view.shown("target")}${extrasEn(view)}. Is that right?`,
  EXECUTED: (view) => `Done: ${view.shown("amount")} to ${view.shown("target")}${extrasEn(view)}.`,
  NEXT: ({ shown }) =>
    [shown("amount"), shown("target") && `to ${shown("target")}`].filter(Boolean).join(" "),
  CANCELLED: () => "Cancelled. This transfer won't be made.",
  UNSUPPORTED: () =>
    "I'm sorry, I can only help with transfers, and I couldn't make one out. Nothing was sent.",
};

const ko: Replies<TransferSlots> = {
  FILLING: (view) => {
    const { slots, shown } = view;
    if (slots.target === undefined && slots.amount === undefined) return "누구에게 얼마를 보내드릴까요?";
    if (slots.amount === undefined) return `${shown("target")}에게 얼마를 보내드릴까요?`;
    return slots.target === undefined ? `${amountKo(view)} 누구에게 보내드릴까요?` : undefined;
  },
  READY: (view) => `${view.shown("target")}에게 ${amountKo(view)} 보냅니다${extrasKo(view)}. 맞나요?`,
  EXECUTED: (view) => `${view.shown("target")}에게 ${amountKo(view)} 보냈습니다${extrasKo(view)}.`,
  NEXT: ({ shown }) =>
    [shown("target") && `${shown("target")}에게`, shown("amount")].filter(Boolean).join(" "),
  CANCELLED: () => "취소했습니다. 이 이체는 실행되지 않습니다.",
  UNSUPPORTED: () => "죄송합니다. 이체만 도와드릴 수 있는데, 내용을 알아듣지 못했습니다. 보낸 돈은 없습니다.",
};

export const replies: Localised<Replies<TransferSlots>> = { en, ko };
