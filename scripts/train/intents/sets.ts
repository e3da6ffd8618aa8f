import { join } from "node:path";
import { root } from "../../lib/paths.ts";

/** A set of categories: where its sentences and its models are, and what its categories mean to the trainer. */
export type IntentSet = {
  /** As in `--service`. */
  service: string;
  directory: string;
  languages: readonly string[];
  categories: readonly string[];
  goals: readonly string[];
  /** The category of a message that asks for several goals. */
  several?: string;
  /** The category of what makes no sense. */
  nothing: string;
};

export const SETS: readonly IntentSet[] = [
  {
    service: "pricing",
    directory: join(root, "services/pricing/intents"),
    languages: ["en", "ko"],
    categories: ["optimizer", "policy", "explainer", "sensitivity", "plan", "publish", "general"],
    goals: ["optimizer", "policy", "explainer", "sensitivity", "publish"],
    several: "plan",
    nothing: "general",
  },
  {
    service: "cloud-cost",
    directory: join(root, "services/finops/intents"),
    languages: ["en", "ko"],
    categories: [
      "cost_query",
      "cost_forecast",
      "optimization",
      "resource_info",
      "alert_config",
      "report_gen",
      "general_help",
      "unknown",
    ],
    goals: [],
    nothing: "unknown",
  },
];

/** @throws Error for a service without a set */
export function setOf(service: string | undefined): IntentSet {
  const set = SETS.find((candidate) => candidate.service === service);
  if (set === undefined) throw new Error(`--service is one of ${SETS.map((s) => s.service).join(", ")}`);
  return set;
}

export function modelFile(set: IntentSet, language: string): string {
  return join(set.directory, `${language}.model.json`);
}
