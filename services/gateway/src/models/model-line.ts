import type { CallReport } from "./types.ts";

/** What the log says of a call: names, codes and numbers, never what was asked or answered. */
export function modelLine(report: CallReport): object {
  const { task, choice, model, outcome, attempts, prompt, sessionId, runId, durationMs } = report;
  return {
    task,
    ...choice,
    model,
    outcome,
    attempts: attempts.map((attempt) => ({
      model: attempt.model,
      outcome: attempt.outcome,
      ms: Math.round(attempt.durationMs),
      input_tokens: attempt.used.inputTokens,
      output_tokens: attempt.used.outputTokens,
      estimated: attempt.used.estimated > 0,
    })),
    ...(prompt ? { prompt: `${prompt.name}.v${prompt.version}`, prompt_hash: prompt.hash } : {}),
    session_id: sessionId,
    run_id: runId,
    ms: Math.round(durationMs),
  };
}
