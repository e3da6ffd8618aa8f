import type { Outcome } from "./outcome.ts";

/** A run's answer, as far as it is no failure. */
export type Told = Exclude<Outcome, { kind: "failed" }>;

/** What of an answer the formats of others have no place for. */
export function beside(outcome: Told, { runId, sessionId }: { runId: string; sessionId: string }): object {
  const { status, ui_hint, warnings = [], sample } = outcome.data;
  const isPaused = outcome.kind === "paused";
  return {
    ...{ run_id: runId, session_id: sessionId, status },
    ...(isPaused ? { approval: { id: outcome.approval.id, url: outcome.link } } : {}),
    ...(ui_hint ? { buttons: ui_hint.buttons } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(sample ? { sample } : {}),
  };
}
