import { canonicalJson, sha256, sha256InPieces } from "../../canonical-json.ts";
import { JsonText } from "../../json-text.ts";
import type { Inputs } from "../../store/index.ts";
import type { Language } from "../wording.ts";
import type { Does, Offer, WorkingSet } from "../working-set.ts";
import { ownSentences } from "./own-words.ts";

/** The key of questions that are answered with a clear yes, or with their button. */
export const EFFECT = "effect";
/** Buttons that are remembered, so that an old one is told from the one that was shown last. */
const REMEMBERED = 4;
const CODE_LENGTH = 6;

export const hashOf = (does: Does): string => sha256(canonicalJson(does));
export const codeOf = (does: Does): string => hashOf(does).slice(0, CODE_LENGTH);

export async function inputsHash(inputs: Inputs | undefined): Promise<string | undefined> {
  if (inputs === undefined) return undefined;
  return inputs instanceof JsonText ? await sha256InPieces(inputs.text) : sha256(canonicalJson(inputs));
}

/** The parts of an order that have changed since it was offered. */
export function changedIn(offered: Does, now: Does): readonly ("slots" | "inputs" | "proposal")[] {
  return (["slots", "inputs", "proposal"] as const).filter(
    (part) => canonicalJson(offered[part]) !== canonicalJson(now[part]),
  );
}

/** The text of a button: its words, and the code of the order. */
export const BUTTONS: Readonly<Record<Language, (label: string, code: string) => string>> = {
  en: (label, code) => `Yes: ${label} (${code})`,
  ko: (label, code) => `예: ${label} (${code})`,
};
const BUTTON = new RegExp(
  `^\\s*(?:Yes|예): (?<label>\\S.{0,200}) \\((?<code>[0-9a-f]{${CODE_LENGTH}})\\)\\s*$`,
  "u",
);

/** The button whose text the message is. */
export function buttonIn(message: string): { label: string; code: string } | undefined {
  const { label, code } = BUTTON.exec(message)?.groups ?? {};
  return label === undefined || code === undefined ? undefined : { label, code };
}

const YES =
  /^(?:(?:ok|okay|alright|right|great|good|perfect|fine|well|oh|please|thanks|thank you|that's|it's)[\s,]+)*(?:(?:yes|yep|yeah|yup|sure|do it|do that|do so|go ahead|go for it|please do|i do|confirm(?:ed)?|absolutely|definitely|of course|correct|right)(?:[\s,]+|$))+(?:please|thanks|thank you|now|with it|with that|do|that|i'm sure|i am sure|[\s,])*$/i;
const NO =
  /^(?:(?:oh|ok|okay|well|sorry)[\s,]+)*(?:no|nope|nah|not now|not yet|don't|do not|never ?mind|cancel|stop|forget it|better not|rather not|leave it)(?:[\s,]+(?:no|please|thanks|thank you|that|it|yet|now|do (?:it|that)|not now|not yet|don't|never ?mind))*$/i;
const KOREAN_YES =
  /^(?:(?:네|예|응|어|그래요?|좋아요?|맞아요?|물론이?[에죠]?요?|그렇게|진행|확인|부탁)(?:해\s?(?:줘요?|주세요|요)?|합니다|드려요|드립니다|하세요|이에요|입니다)?(?:[\s,]+|$))+$/;
const KOREAN_NO =
  /^(?:(?:아니요?|아뇨|아니에요|싫어요?|됐어요?|괜찮아요|취소|그만|하지\s?마)(?:해\s?(?:줘요?|주세요)?|세요|요)?(?:[\s,]+|$))+$/;

/** Whether a whole message says yes or no, and nothing else. */
export function yesOrNo(message: string): "yes" | "no" | undefined {
  const sentences = ownSentences(message);
  if (sentences.length === 0 || sentences.some(({ isQuestion }) => isQuestion)) return undefined;
  const all = (yes: RegExp): boolean => sentences.every(({ text }) => yes.test(text));
  if (all(YES) || all(KOREAN_YES)) return "yes";
  return all(NO) || all(KOREAN_NO) ? "no" : undefined;
}

/** How a message answers what the user was asked about an effect: a button with what it offers, where that is remembered, or a word. */
export function answerIn(
  message: string,
  { question, offers = [] }: WorkingSet,
): { kind: "yes"; label: string; offer?: Offer } | { kind: "no"; offer: Offer } | undefined {
  const button = buttonIn(message);
  if (button) {
    const offer = offers.find(({ code }) => code === button.code);
    return { kind: "yes", label: button.label, ...(offer ? { offer } : {}) };
  }
  const open = question?.key === EFFECT ? offers.at(-1) : undefined;
  const word = open && yesOrNo(message);
  if (!open || !word) return undefined;
  return word === "no" ? { kind: "no", offer: open } : { kind: "yes", label: "", offer: open };
}

export function withOffer(working: WorkingSet, offer: Offer): WorkingSet {
  const others = (working.offers ?? []).filter(({ code }) => code !== offer.code);
  return {
    ...working,
    question: offer.question,
    asked: EFFECT,
    offers: [...others, offer].slice(-REMEMBERED),
  };
}
