import type { RunOrder, StepResult } from "../store/index.ts";
import type { LiveRun } from "./live-run.ts";

/** What a model says ahead of a report, all of it checked; or why it says nothing. */
export type Worded =
  | { lead: string; model: string; warning?: string }
  | { warning: string; lead?: undefined; model?: undefined };

/**
 * Has a model say something ahead of the report that a template made of a run's results.
 * @returns undefined where no model is asked
 */
export type WordAnswer = (answer: {
  report: string;
  results: Readonly<Record<string, StepResult>>;
  run: LiveRun;
  order: RunOrder;
}) => Promise<Worded | undefined>;
