import type { Orders } from "../../mesh/index.ts";
import { deniesInEnglish, ordersInEnglish } from "./english.ts";
import { deniesInKorean, ordersInKorean } from "./korean.ts";
import { formsOf } from "./order-forms.ts";
import { ownSentences } from "./own-words.ts";

const HANGUL = /\p{Script=Hangul}/u;

/**
 * Whether a message orders something itself: an imperative, a polite request or a wish, with one of the words that the manifest has for
 * it as the verb, in the user's own words. Whoever has read the message, and whatever was read, nothing takes effect without one.
 *
 * It is closed: what it does not know as an order is none. That is so for questions, negations and reports, for what is told of the past or
 * of others, for what depends on a condition or a later time, and for what is quoted, pasted or forwarded.
 */
export function isClearOrder(message: string, { en = [], ko = [] }: Orders): boolean {
  const sentences = ownSentences(message);
  return HANGUL.test(message)
    ? ordersInKorean(sentences, [...ko, ...en]) || (en.length > 0 && ordersInEnglish(sentences, en))
    : en.length > 0 && ordersInEnglish(sentences, en);
}

/** Whether a message says not to do something. */
export function isDenied(message: string, { en = [], ko = [] }: Orders): boolean {
  const sentences = ownSentences(message);
  return (
    (en.length > 0 && deniesInEnglish(sentences, en)) ||
    (ko.length > 0 && deniesInKorean(sentences, [...ko, ...en]))
  );
}

/** Whether a message has one of the verbs in any form, wherever it stands. */
export function isNamed(message: string, { en = [], ko = [] }: Orders): boolean {
  const text = message.normalize("NFKC").toLowerCase();
  return (
    ko.some((order) => text.includes(order)) ||
    (en.length > 0 && new RegExp(`(?<!\\p{L})${formsOf(en).any}(?!\\p{L})`, "u").test(text))
  );
}
