import { setImmediate as nextTurn } from "node:timers/promises";
import { JsonText, LARGE_TEXT, lessSizeOf } from "../../json-text.ts";
import type { Template } from "../../mesh/index.ts";

/** Shows all of a step's outputs: where no text is made of them, readers find them in the step's event. */
export const wholeOutputs: Template = async (result) => Reflect.get(Object(result), "outputs");

/** Values that are written at once. */
const AT_ONCE = 10_000;

/** Outputs that are shown whole. Large ones become text, once for all who write them: log, journal and answer. */
export async function shownWhole(outputs: object): Promise<object> {
  if (outputs instanceof JsonText || lessSizeOf(outputs, AT_ONCE) >= 0) return outputs;
  await nextTurn();
  return new JsonText(JSON.stringify(outputs));
}

/** A log has one event a line. Within JSON, line breaks stand between values alone. */
export async function onOneLine(json: JsonText): Promise<JsonText> {
  if (!/[\n\r]/.test(json.text)) return json;
  const pieces: string[] = [];
  for (let from = 0; from < json.text.length; from += LARGE_TEXT) {
    await nextTurn();
    pieces.push(json.text.slice(from, from + LARGE_TEXT).replaceAll(/[\n\r]/g, " "));
  }
  return new JsonText(pieces.join(""));
}
