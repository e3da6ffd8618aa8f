import type { RunLineage, ToolCallRecord } from "@interlock/contracts";
import type { JournaledCall } from "../store/index.ts";

type Parent = ToolCallRecord["parents"][number];
type Earlier = Pick<JournaledCall, "record" | "output" | "text">;

/** Values of one result that are looked for in arguments. */
const MOST_VALUES = 2_000;
/** Characters of a text that are searched for values. */
const MOST_TEXT = 20_000;
const DEEPEST = 20;
/** Shorter ones stand everywhere. */
const SHORTEST = 2;

/**
 * The calls that a call came from: those whose results have a value that its arguments hold, which the user has not said; where there are
 * none, all of the round before, which the model had read.
 */
export function parentsOf(
  args: unknown,
  earlier: readonly Earlier[],
  { round, message }: { round: number; message: string },
): Parent[] {
  const said = new Set(wordsIn(message));
  const wanted = valuesIn(args).filter((value) => !said.has(value));
  const byData = earlier.filter((call) => {
    if (call.record.round >= round || wanted.length === 0) return false;
    const values = valuesOf(call);
    return wanted.some((value) => values.has(value));
  });
  if (byData.length > 0) return byData.map(({ record }) => ({ id: record.id, by: "data" }));
  return earlier
    .filter(({ record }) => record.round === round - 1)
    .map(({ record }) => ({ id: record.id, by: "round" }));
}

/** A result is looked at by each call after it. */
const known = new WeakMap<Earlier, ReadonlySet<string>>();

function valuesOf(call: Earlier): ReadonlySet<string> {
  const values = known.get(call) ?? new Set([...valuesIn(call.output), ...wordsIn(call.text)]);
  known.set(call, values);
  return values;
}

/** The numbers and words of a value, each in one form: `$5,000,000` and 5000000 are the same. */
function valuesIn(value: unknown, depth = 0, found: string[] = []): string[] {
  if (found.length >= MOST_VALUES || depth > DEEPEST) return found;
  if (typeof value === "number") found.push(...wordsIn(String(value)));
  else if (typeof value === "string") found.push(...wordsIn(value));
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) valuesIn(member, depth + 1, found);
  return found;
}

function wordsIn(text: string): string[] {
  const words = text.slice(0, MOST_TEXT).match(/\d[\d,]*(?:\.\d+)?|[\p{L}\p{N}_-]+/gu) ?? [];
  const plain = words.map((word) => (/^\d/.test(word) ? word.replaceAll(",", "") : word.toLowerCase()));
  // Words of prose say nothing of where something comes from: what has a digit does, and names.
  return plain.filter((word, at) => word.length >= SHORTEST && (/\d/.test(word) || isName(words[at] ?? "")));
}

const isName = (word: string): boolean => word.includes("_") || /^\p{Lu}[\p{L}]{2,}/u.test(word);

/** Values above this size are told by their size in answers and events. */
const MOST_SHOWN = 16 * 1024;

/** What answers and events tell of calls; the results that are large have their size. */
export function shownCalls(calls: Readonly<Record<string, JournaledCall>>): ToolCallRecord[] {
  return numbered(calls).map(({ record, output }) => {
    const text = output === undefined ? "" : JSON.stringify(output);
    if (text === "") return record;
    return text.length > MOST_SHOWN ? { ...record, output_bytes: text.length } : { ...record, output };
  });
}

/** The whole graph. */
export function lineageOf(runId: string, calls: Readonly<Record<string, JournaledCall>>): RunLineage {
  const all = numbered(calls);
  return {
    run_id: runId,
    calls: all.map(({ record, output }) => (output === undefined ? record : { ...record, output })),
    edges: all.flatMap(({ record }) => record.parents.map(({ id, by }) => ({ from: id, to: record.id, by }))),
  };
}

/** A call stands behind those whose results it was given, even where both began within one millisecond. */
function numbered(calls: Readonly<Record<string, JournaledCall>>): JournaledCall[] {
  const sorted = Object.values(calls).toSorted((one, other) => order(one.record, other.record));
  const left = new Map(sorted.map((call) => [call.record.id, call]));
  const placed: JournaledCall[] = [];
  const place = (id: string): void => {
    const call = left.get(id);
    if (!call || !left.delete(id)) return;
    for (const parent of call.record.parents) place(parent.id);
    placed.push({ ...call, record: { ...call.record, step: placed.length + 1 } });
  };
  for (const { record } of sorted) place(record.id);
  return placed;
}

/** Of one step as they were planned, of several as they began. */
function order(one: ToolCallRecord, other: ToolCallRecord): number {
  const byId = one.id.localeCompare(other.id, "en", { numeric: true });
  return one.node === other.node ? byId : Date.parse(one.timestamp) - Date.parse(other.timestamp) || byId;
}

/** The graph as a Mermaid flowchart: names and outcomes, no values. */
export function mermaidOf({ calls, edges }: RunLineage): string {
  const at = new Map(calls.map(({ id, step }) => [id, `c${step}`]));
  const nodes = calls.map(({ id, step, tool_name, mcp_server, outcome, cached }) => {
    const name = mcp_server === undefined ? tool_name : `${mcp_server}.${tool_name}`;
    const state =
      outcome === "ok" ? (cached === "miss" || cached === "bypass" ? "" : `, ${cached}`) : `, ${outcome}`;
    return `  ${at.get(id)}["${step}. ${name.replaceAll(/[^\w.\-/ ]/g, "")}${state}"]`;
  });
  const lines = edges.map(({ from, to, by }) =>
    by === "data" ? `  ${at.get(from)} --> ${at.get(to)}` : `  ${at.get(from)} -.-> ${at.get(to)}`,
  );
  return `${["flowchart TD", ...nodes, ...lines].join("\n")}\n`;
}

/** The MCP servers whose tools were called. */
export function serversUsed(calls: Readonly<Record<string, JournaledCall>>): string[] {
  const servers = Object.values(calls).flatMap(({ record }) =>
    record.outcome === "refused" || record.outcome === "invalid_arguments" ? [] : (record.mcp_server ?? []),
  );
  return [...new Set(servers)];
}

/** A line of what a result is, without its values where it is data. */
export function summaryOf(output: unknown, text: string): string {
  if (Array.isArray(output)) return `${output.length} entries`;
  if (typeof output === "object" && output !== null) {
    const { row_count: count } = output as { row_count?: unknown };
    if (typeof count === "number") return count === 1 ? "1 row" : `${count} rows`;
    const lists = Object.entries(output).flatMap(([name, value]) =>
      Array.isArray(value) ? [`${value.length} ${name}`] : [],
    );
    if (lists.length > 0) return lists.slice(0, 3).join(", ");
  }
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
