/** Which event of which run a reader of the turn dialect has last. */
export type TurnCursor = {
  runId: string;
  seq: number;
  /** The reader has received DONE, so nothing follows. A run that waits for a person also sends it, and goes on later. */
  done: boolean;
};

/** The id of the last frame of an event. */
export function turnCursor({ runId, seq, done }: TurnCursor): string {
  return `${runId}:${seq}${done ? ":done" : ""}`;
}

const CURSOR = /^([A-Za-z0-9_-]{1,64}):(\d{1,10})(:done)?$/;

/** @returns undefined for what is no id of the turn dialect */
export function readTurnCursor(id: string): TurnCursor | undefined {
  const [, runId, seq, done] = CURSOR.exec(id) ?? [];
  return runId === undefined ? undefined : { runId, seq: Number(seq), done: done !== undefined };
}
