import { decodeEvent, type RunEvent, type StoredEvent, splitEvent } from "../events/index.ts";
import { JsonText, LARGE_TEXT } from "../json-text.ts";

type Finished = Extract<RunEvent, { type: "run_finished" }>["data"];

/** The fields of a run's last event that concern its outputs. */
export function outputsOf({
  outputs,
  large_outputs,
  tables,
}: Finished): Pick<Finished, "outputs" | "large_outputs" | "tables"> {
  return {
    ...(tables ? { tables } : {}),
    ...(outputs ? { outputs } : {}),
    ...(large_outputs ? { large_outputs } : {}),
  };
}

type StepFinished = Extract<RunEvent, { type: "step_finished" }>;

/** A step's end whose outputs stay text, since parsing and writing them would hold the event loop; undefined for any other event. */
export function largeStep({ type, json }: StoredEvent): StepFinished | undefined {
  if (type !== "step_finished" || json.length <= LARGE_TEXT) return undefined;
  const { data } = splitEvent(json);
  const from = data.indexOf(OUTPUTS);
  if (from < 0 || !data.endsWith("}")) return undefined;
  const head = json.slice(0, json.length - 1 - data.length);
  const event = decodeEvent(`${head}${data.slice(0, from)}}}`);
  if (event.type !== "step_finished") return undefined;
  event.data.outputs = new JsonText(data.slice(from + OUTPUTS.length, -1));
  return event;
}

/** Members before it hold no objects, so that this is the event's own; it is the last one. */
const OUTPUTS = ',"outputs":';
