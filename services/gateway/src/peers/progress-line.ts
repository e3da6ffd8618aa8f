import { progressText } from "../dialects/index.ts";
import { decodeEvent, type StoredEvent } from "../events/index.ts";

/** What an agent does, in a line. */
export function progressLine(event: StoredEvent, labelOf: (agent: string) => string): string | undefined {
  if (event.type === "progress") return progressText(event.json);
  if (event.type !== "step_started") return undefined;
  const begun = decodeEvent(event.json);
  return begun.type === "step_started" ? labelOf(begun.data.agent) : undefined;
}
