import { nearest } from "@interlock/contracts";
import type { CheckedTarget } from "./check-targets.ts";
import { UsageError } from "./options.ts";

/** A hostile card may list any number. */
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 100;

const RUN_SUCCEEDS = "AC1-RUN-001";

/**
 * An agent whose card lacks the task and which does not run it either was probably asked for another one: a list of what could not be judged
 * would say nothing. @throws UsageError with what the card has
 */
export function refuseMisspelt(checked: readonly CheckedTarget[]): void {
  const problems = checked.filter(isMisspelt).map(({ url, taskType, othersListed }) => {
    const near = nearest(taskType, othersListed);
    const suggestion = near === undefined ? "" : `; did you mean ${shown(near)}?`;
    const shownOthers = othersListed.slice(0, MOST_SHOWN).map(shown);
    const more = othersListed.length > MOST_SHOWN ? `, and ${othersListed.length - MOST_SHOWN} more` : "";
    const end = suggestion === "" ? "." : "";
    return `${url}: task ${taskType} is not on the card${suggestion}${end} The card has: ${shownOthers.join(", ")}${more}.`;
  });
  if (problems.length > 0) throw new UsageError(problems.join("\nconformance: "));
}

function isMisspelt({ othersListed, results }: CheckedTarget): boolean {
  const run = results.find(({ rule }) => rule.id === RUN_SUCCEEDS);
  return othersListed.length > 0 && run !== undefined && run.verdict !== "pass";
}

/** A terminal takes some characters as commands. */
function shown(taskType: string): string {
  return taskType.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, LONGEST_SHOWN);
}
