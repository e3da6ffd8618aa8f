/**
 * A process that evaluates expressions and reads large JSON for the gateway, which ends it when one takes too much. It is a process and not a thread of the
 * gateway, since V8 ends the whole process where a single allocation exceeds a thread's memory limit.
 */
import { Worker } from "node:worker_threads";
import { readJson } from "@interlock/contracts";
import jsonata from "jsonata";
import { canonicalJson } from "../canonical-json.ts";
import { describeError } from "./expression-error.ts";
import type { Evaluated, Evaluation, LazySpan, Reading, ReadObject } from "./expression-messages.ts";
import { KEPT_SIZE, PartMemory } from "./expression-parts.ts";
import { memberSpans, sizeOf } from "./json-members.ts";

/** A part is parsed when an expression first reads it. */
type LazyPart = () => unknown;

const expressions = new Map<string, jsonata.Expression>();
const memory = new PartMemory<LazyPart>(KEPT_SIZE);

process.on("message", async (message: Evaluation | Reading) => {
  process.send?.(message.kind === "read" ? read(message) : await evaluate(message));
});
process.on("disconnect", () => process.exit());
endWithParent();
process.send?.("ready");

async function evaluate({
  source,
  context,
  parts,
  canonical,
  maxResultSize,
}: Evaluation): Promise<Evaluated> {
  memory.keep(
    parts.map(({ id, size, text }) => ({ id, size, value: memory.get(id) ?? lazily(text ?? "null") })),
  );
  let whole = context;
  for (const { path, id } of parts) {
    const part = memory.get(id) ?? lazily("null");
    if (path.length === 0) whole = part();
    else define(context, path, part);
  }
  try {
    const expression = expressions.get(source) ?? jsonata(source);
    expressions.set(source, expression);
    const text = JSON.stringify(await expression.evaluate(whole));
    if (text === undefined) return { state: "nothing" };
    if (text.length > maxResultSize) return { state: "too_large" };
    return { state: "value", text: canonical ? canonicalJson(JSON.parse(text)) : text };
  } catch (error) {
    return { state: "failed", ...describeError(error) };
  }
}

function read({ json, lazy, maxDepth }: Reading): ReadObject {
  const result = readJson(json, { maxDepth });
  if (!result.ok) return result;
  const { value } = result;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, problem: "not_an_object" };
  }
  const found = memberSpans(json);
  const object = { ...value };
  const spans: LazySpan[] = [];
  for (const { name, id } of lazy) {
    const member: unknown = Reflect.get(value, name);
    const span = found.get(name);
    if (!span || typeof member !== "object" || member === null || Array.isArray(member)) continue;
    memory.keep([{ id, size: sizeOf(span), value: () => member }]);
    spans.push({ name, id, span });
    Reflect.set(object, name, null);
  }
  return { ok: true, object, spans };
}

function lazily(text: string): LazyPart {
  let unread: string | undefined = text;
  let value: unknown;
  return () => {
    if (unread !== undefined) value = JSON.parse(unread);
    unread = undefined;
    return value;
  };
}

function define(context: unknown, path: readonly string[], get: LazyPart): void {
  let parent = context;
  for (const name of path.slice(0, -1)) {
    if (typeof parent === "object" && parent !== null) parent = Reflect.get(parent, name);
  }
  if (typeof parent !== "object" || parent === null) return;
  Object.defineProperty(parent, path.at(-1) ?? "", { get, enumerable: true });
}

/** While an expression is evaluated, this process does not notice that its parent is gone; a thread does. */
function endWithParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1_000);`;
  new Worker(watch, { eval: true }).unref();
}
