import type { DetectInjection, Verdict } from "../../services/gateway/src/language/index.ts";

/** Judges a conversation turn by turn, as the gateway does: it ends with the first message that is refused. */
export function refusedTurn(detect: DetectInjection, turns: readonly string[]): Verdict {
  for (const [place, turn] of turns.entries()) {
    let verdict = detect(turn);
    if (verdict.openEnded && place > 0) verdict = detect(turn, { earlier: turns.slice(0, place) });
    if (verdict.flagged) return verdict;
  }
  return { flagged: false };
}
