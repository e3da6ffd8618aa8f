import type { RunOrder } from "../store/index.ts";
import type { LiveRun } from "./live-run.ts";

/** An answer in a model's words, or why it stays as its template made it. */
export type Worded =
  | { text: string; model: string; warning?: undefined }
  | { warning: string; text?: undefined; model?: undefined };

/**
 * Words the report that a template made of a run's results.
 * @returns undefined where no model is asked
 */
export type WordAnswer = (answer: {
  report: string;
  run: LiveRun;
  order: RunOrder;
}) => Promise<Worded | undefined>;
