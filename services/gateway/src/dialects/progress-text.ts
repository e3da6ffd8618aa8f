import { splitEvent } from "../events/index.ts";

export const WORKING = "Working.";

/** Progress of more characters is not parsed: it is frequent, and parsing takes time. */
const MOST_PARSED = 4096;
/** Where agents tell in words what they do. */
const WORDS = ["message", "detail", "step", "stage"] as const;
const LONGEST_WORDS = 500;

/** An agent's progress in words: it may be any JSON value. */
export function progressText(json: string): string {
  const { data } = splitEvent(json);
  if (data.length > MOST_PARSED) return WORKING;
  const value: unknown = JSON.parse(data);
  const words =
    typeof value === "object" && value !== null ? WORDS.map((name) => Object(value)[name]) : [value];
  const said = words.find((one) => typeof one === "string" && one !== "");
  return typeof said === "string" ? said.slice(0, LONGEST_WORDS) : WORKING;
}
