import type { ChatEvent, ToolCall } from "@interlock/client";

type Fields = Readonly<Record<string, unknown>>;

/** Prints a chat stream in readable form as its events arrive. */
export function chatPrinter(write: (text: string) => void): (event: ChatEvent) => void {
  let tokens = "";
  const writeLines = (lines: readonly Line[]) => {
    for (const [label, text] of lines) write(`  ${label.padEnd(10)} ${text}\n`);
  };
  return (event) => {
    switch (event.type) {
      case "token":
        write(tokens === "" ? `\n${event.token}` : event.token);
        tokens += event.token;
        break;
      case "tool_call":
        writeLines(callLines(event.tool_call, event.node ?? ""));
        break;
      case "started":
      case "progress":
        if (event.progress !== undefined) writeLines(progressLines(event.progress, event.node ?? ""));
        break;
      case "end":
        if (tokens !== "") write("\n");
        // Tokens have printed it already.
        if (event.message && event.message !== tokens) write(`\n${event.message}\n`);
        if ("error" in event) write(`\nThe run failed: ${event.error} (${event.code})\n`);
        break;
      default:
    }
  };
}

type Line = readonly [label: string, text: string];

function progressLines(progress: unknown, node: string): Line[] {
  if (!isObject(progress)) return [["progress", `${node}: ${JSON.stringify(progress)}`]];
  const { stage, ...rest } = progress;
  switch (stage) {
    case "started":
      return [["intent", String(rest.intent)]];
    case "plan":
      return objects(rest.steps).map(planLine);
    case "repair":
      return [["repair", `${node}: round ${rest.round} of at most ${rest.max_rounds}`]];
    case "step_started":
    case "step_finished":
      return [];
    default:
      return countLines(progress, node);
  }
}

/** Prints the first and the last step of a count only. */
function countLines(progress: Fields, node: string): Line[] {
  const { message, completed, total, ...rest } = progress;
  if (typeof completed !== "number" || typeof total !== "number")
    return [["progress", `${node}: ${words(progress)}`]];
  if (completed > 1 && completed < total) return [];
  const more = Object.keys(rest).length > 0 ? `, ${words(rest)}` : "";
  return [["progress", `${node}: ${message ?? ""} ${completed} of ${total}${more}`]];
}

function planLine({ id, agent, task_type, needs }: Fields): Line {
  const what = task_type === undefined ? "" : ` (${agent}: ${task_type})`;
  const after = Array.isArray(needs) && needs.length > 0 ? ` after ${needs.join(", ")}` : "";
  return ["plan", `${id}${what}${after}`];
}

function callLines(call: ToolCall, node: string): Line[] {
  const where = `${call.name} at ${call.agent}`;
  if (call.status === "started") return [["tool call", where]];
  if (call.status === "error")
    return [["failed", `${where}: ${call.error ?? ""} (${call.code ?? "no code"})`]];
  const done: Line = ["done", `${where} in ${call.duration_ms} ms`];
  return isObject(call.outputs) ? [done, ...outputLines(call.outputs, node)] : [done];
}

function outputLines(outputs: Fields, node: string): Line[] {
  const { violations, suggestions, before, summary, ...rest } = outputs;
  const lines: Line[] = [];
  if (isObject(before)) lines.push(...policyLines("today", before));
  if (violations !== undefined) lines.push(...policyLines("proposed", outputs));
  if (typeof summary === "string") lines.push(["summary", `${node}: ${summary}`]);
  return [...lines, ...leafLines(rest, node)];
}

/** One line per object, with those of its fields that are not objects themselves. */
function leafLines(fields: Fields, path: string): Line[] {
  const nested = Object.entries(fields).filter((entry): entry is [string, Fields] => isObject(entry[1]));
  const plain = Object.entries(fields).filter(([, value]) => !isObject(value));
  const own: Line[] = plain.length > 0 ? [["outputs", `${path}: ${words(Object.fromEntries(plain))}`]] : [];
  return [...own, ...nested.flatMap(([name, value]) => leafLines(value, `${path}.${name}`))];
}

function policyLines(which: string, { violations, suggestions }: Fields): Line[] {
  const found = objects(violations);
  return [
    [
      "policy",
      `${which}: ${found.length === 0 ? "no" : found.length} violation${found.length === 1 ? "" : "s"}`,
    ],
    ...found.map((violation): Line => {
      const { item_id, message } = violation;
      return ["  violated", message === undefined ? words(violation) : `${item_id}: ${message}`];
    }),
    ...objects(suggestions).map((fix): Line => {
      const { item_id, field, current, new_value, reason } = fix;
      return ["  fix", `${item_id} ${field}: ${current} -> ${new_value} (${reason})`];
    }),
  ];
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** `demand 4028.74, objective profit`: numbers shortened, lists as compact JSON. */
function words(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${wordOf(value)}`)
    .join(", ");
}

function wordOf(value: unknown): string {
  if (typeof value === "number")
    return String(Number(Math.abs(value) < 1 ? value.toPrecision(4) : value.toFixed(2)));
  return typeof value === "string" ? value : JSON.stringify(value);
}
