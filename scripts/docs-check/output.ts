/** Compares what a command printed with what the document shows. */
import { difference, NotJson, parseShape, parseShapes, type Shape } from "./json-shape.ts";
import { sameText } from "./text-shape.ts";

/** A line of the document; one that goes on over several lines, because it shows JSON, is one. */
type Line = { readonly text: string; readonly json?: { readonly before: string; readonly shape: Shape } };

/**
 * @param language of the block that shows the output: `json` is compared value by value, everything else line by line
 * @returns what differs, or undefined
 */
export function outputDifference(language: string, shown: string, printed: string): string | undefined {
  return language === "json" ? jsonDifference(shown, printed) : textDifference(shown, printed);
}

function jsonDifference(shown: string, printed: string): string | undefined {
  let wanted: Shape[];
  try {
    wanted = parseShapes(shown);
  } catch (error) {
    if (error instanceof NotJson) return `the document shows no JSON: ${error.message}`;
    throw error;
  }
  let rest = printed.trim();
  for (const [index, shape] of wanted.entries()) {
    const value = firstValue(rest);
    if (value === undefined)
      return rest === ""
        ? `value ${index + 1} of ${wanted.length} was not printed`
        : `no JSON was printed: ${excerpt(rest)}`;
    const found = difference(shape, value.value);
    if (found !== undefined) return found;
    rest = value.rest;
  }
  return rest === "" ? undefined : `more was printed than is shown: ${excerpt(rest)}`;
}

function firstValue(text: string): { value: unknown; rest: string } | undefined {
  try {
    const { rest } = parseShape(text);
    return { value: JSON.parse(text.slice(0, text.length - rest.length)), rest: rest.trim() };
  } catch {
    return undefined;
  }
}

function textDifference(shown: string, printed: string): string | undefined {
  const wanted = linesOf(shown);
  const got = printed.split("\n").filter((line) => line.trim() !== "");
  let furthest = { wanted: -1, got: 0, why: "" };
  const fits = (at: number, from: number): boolean => {
    const line = wanted[at];
    if (line === undefined) {
      if (from === got.length) return true;
      note(at, from, "the end");
      return false;
    }
    if (line.text.trim() === "…") {
      for (let next = from; next <= got.length; next += 1) if (fits(at + 1, next)) return true;
      return false;
    }
    const why = lineDifference(line, got[from]);
    if (why === undefined) return fits(at + 1, from + 1);
    note(at, from, why);
    return false;
  };
  const note = (at: number, from: number, why: string) => {
    if (at > furthest.wanted) furthest = { wanted: at, got: from, why };
  };
  if (fits(0, 0)) return undefined;
  const line = wanted[furthest.wanted]?.text ?? "the end of the output";
  return `wanted  ${line}\ngot     ${got[furthest.got] ?? "the end of the output"}\n${furthest.why}`.trimEnd();
}

function linesOf(shown: string): Line[] {
  const lines: Line[] = [];
  const source = shown.split("\n").filter((line) => line.trim() !== "");
  for (let at = 0; at < source.length; at += 1) {
    let text = source[at] ?? "";
    const [, before = "", start] = /^((?:data: )?)([{[].*)$/s.exec(text) ?? [];
    for (let last = at; start !== undefined && last < source.length; last += 1) {
      const candidate = source.slice(at, last + 1).join("\n");
      const read = shapeOf(candidate.slice(before.length));
      if (read === "more") continue;
      if (read !== undefined) {
        lines.push({ text: candidate, json: { before, shape: read } });
        at = last;
        text = "";
      }
      break;
    }
    if (text !== "") lines.push({ text });
  }
  return lines;
}

function shapeOf(text: string): Shape | "more" | undefined {
  try {
    const { shape, rest } = parseShape(text);
    return rest.trim() === "" ? shape : undefined;
  } catch (error) {
    return error instanceof NotJson && error.incomplete ? "more" : undefined;
  }
}

/** "" where it is evident from the two lines. */
function lineDifference({ text, json }: Line, got: string | undefined): string | undefined {
  if (got === undefined) return "";
  if (json === undefined) return sameText(text.trim(), got.trim()) ? undefined : "";
  if (!got.startsWith(json.before)) return "";
  try {
    return difference(json.shape, JSON.parse(got.slice(json.before.length)));
  } catch {
    return "this is not JSON";
  }
}

function excerpt(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
