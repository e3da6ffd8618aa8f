import type { TurnEntry } from "../../store/index.ts";

/** A user's message with all that answered it, by the entries of its run. */
export type WholeTurn = {
  runId: string;
  user?: string;
  answers: string[];
  /** The places of its first entry and of its last. */
  first: number;
  last: number;
};

/** The turns of a session, in the order in which they began. Turns that wait for one another have their entries mixed. */
export function turnsOf(entries: readonly TurnEntry[]): WholeTurn[] {
  const turns = new Map<string, WholeTurn>();
  for (const [at, entry] of entries.entries()) {
    const turn = turns.get(entry.run_id) ?? { runId: entry.run_id, answers: [], first: at, last: at };
    turn.last = at;
    if (entry.role === "user") turn.user = entry.text;
    else turn.answers.push(entry.text);
    turns.set(entry.run_id, turn);
  }
  return [...turns.values()];
}

/**
 * Where the raw entries may be cut: before it, there are whole turns alone, and neither the latest ones nor one that is under way.
 * @param keep how many of the latest turns stay
 * @param active the session's run under way; those that wait for it come after it
 */
export function cutOf(turns: readonly WholeTurn[], keep: number, active: string | undefined): number {
  const running = turns.findIndex(({ runId }) => runId === active);
  const kept = Math.min(Math.max(0, turns.length - keep), running < 0 ? turns.length : running);
  let cut = Math.min(
    ...turns.slice(kept).map(({ first }) => first),
    Math.max(-1, ...turns.map(({ last }) => last)) + 1,
  );
  for (let before = -1; before !== cut; ) {
    before = cut;
    for (const { first, last } of turns) if (first < cut && last >= cut) cut = first;
  }
  return cut;
}
