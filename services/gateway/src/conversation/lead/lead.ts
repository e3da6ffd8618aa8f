import { setImmediate as nextTurn } from "node:timers/promises";
import type { Fact } from "./facts.ts";
import { type OtherNames, truthOf } from "./holds.ts";

/** Sentences that are looked at: checking one takes the event loop some time. */
const MOST_CHECKED = 40;

/**
 * The sentences of a text that the facts bear out, at most so many, and how many were left out because they do not.
 */
export async function leadOf(
  text: string,
  { facts, otherNames, most }: { facts: readonly Fact[]; otherNames: OtherNames; most: number },
): Promise<{ lead: string; leftOut: number }> {
  const said = sentencesOf(text);
  const isTrue = truthOf(facts, otherNames);
  const shown: string[] = [];
  for (const sentence of said.slice(0, MOST_CHECKED)) {
    await nextTurn();
    if (isTrue(sentence)) shown.push(sentence);
  }
  return { lead: [...new Set(shown)].slice(0, most).join(" "), leftOut: said.length - shown.length };
}

/** One a line, or several; list marks are no part of them. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n|(?<=[.!?])\s+/u)
    .map((line) => line.replace(/^\s*[-*•]\s+/u, "").trim())
    .filter((line) => line !== "");
}
