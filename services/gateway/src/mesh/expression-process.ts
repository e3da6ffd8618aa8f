/**
 * A process that evaluates expressions and reads large JSON for the gateway, which ends it when one takes too much. It is a process and not a thread of the
 * gateway, since V8 ends the whole process where a single allocation exceeds a thread's memory limit.
 */
import { Worker } from "node:worker_threads";
import { compileSchema, readJson, type Validator } from "@interlock/contracts";
import jsonata from "jsonata";
import { canonicalJson } from "../canonical-json.ts";
import { describeError } from "./expression-error.ts";
import { functionsOver } from "./expression-functions.ts";
import type {
  Checked,
  Checking,
  Evaluated,
  Evaluation,
  LazySpan,
  Reading,
  ReadObject,
} from "./expression-messages.ts";
import { type SentText, TextReceiver, TextSender } from "./expression-texts.ts";
import { findMembers, sizeOf } from "./json-members.ts";
import { PartValues, piecesOf } from "./part-values.ts";

type TextOf = (text: SentText) => string;

const expressions = new Map<string, jsonata.Expression>();
const validators = new Map<string, Validator<unknown>>();
const values = new PartValues();
const received = new TextReceiver();

process.on("message", async (message: Evaluation | Checking | Reading) => {
  if (received.takes(message)) return;
  const textOf = received.read();
  const sender = new TextSender();
  const answer = await answerTo(message, textOf, sender);
  for (const piece of sender.pieces()) process.send?.(piece);
  process.send?.(answer);
});
process.on("disconnect", () => process.exit());
endWithParent();
process.send?.("ready");

async function answerTo(message: Evaluation | Checking | Reading, textOf: TextOf, sender: TextSender) {
  switch (message.kind) {
    case "read":
      return read(message, textOf);
    case "check":
      return check(message, textOf);
    case "evaluate":
      return await evaluate(message, textOf, sender);
    default:
      return message satisfies never;
  }
}

/** The context with its parts in their places. */
function wholeOf(
  { context, places, parts }: Pick<Evaluation, "context" | "places" | "parts">,
  textOf: TextOf,
): unknown {
  values.keep(
    parts.map(({ id, size, text }) => (text === undefined ? { id, size } : { id, size, text: textOf(text) })),
  );
  let whole = context;
  for (const { path, id } of places) {
    if (path.length === 0) whole = values.get(id)();
    else define(context, path, values.get(id));
  }
  return whole;
}

function check(checking: Checking, textOf: TextOf): Checked {
  const schema = JSON.stringify(checking.schema);
  const validate = validators.get(schema) ?? compileSchema({ ...checking.schema });
  validators.set(schema, validate);
  const checked = validate(wholeOf(checking, textOf));
  return checked.ok ? {} : { place: checked.problem.path };
}

async function evaluate(evaluation: Evaluation, textOf: TextOf, sender: TextSender): Promise<Evaluated> {
  const { source } = evaluation;
  const whole = wholeOf(evaluation, textOf);
  try {
    const expression = expressions.get(source) ?? jsonata(source);
    expressions.set(source, expression);
    return written(await expression.evaluate(whole, functionsOver(whole)), evaluation, sender);
  } catch (error) {
    return { state: "failed", ...describeError(error) };
  }
}

function written(
  result: unknown,
  { parts, canonical, resultId, maxResultSize, keptFrom }: Evaluation,
  sender: TextSender,
): Evaluated {
  const isPlain = typeof result === "object" && result !== null && !Array.isArray(result);
  if (!isPlain || canonical) {
    const text = JSON.stringify(result);
    if (text === undefined) return { state: "nothing" };
    if (text.length > maxResultSize) return { state: "too_large" };
    return {
      state: "value",
      pieces: [{ text: sender.add(canonical ? canonicalJson(JSON.parse(text)) : text) }],
    };
  }
  const object = values.write(result, new Set(parts.map(({ id }) => id)));
  if (object.size > maxResultSize) return { state: "too_large" };
  const pieces = piecesOf(object).map((piece) =>
    "text" in piece ? { text: sender.add(piece.text) } : piece,
  );
  if (object.size <= keptFrom) return { state: "value", pieces };
  values.keepWritten(resultId, object);
  return { state: "value", pieces, kept: object.size };
}

function read({ json: sent, lazy, maxDepth }: Reading, textOf: TextOf): ReadObject {
  const json = textOf(sent);
  // The depth is known without another look at all values.
  const result = readJson(json);
  if (!result.ok) return result;
  const { value } = result;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, problem: "not_an_object" };
  }
  const { spans: found, depth } = findMembers(json);
  if (depth > maxDepth) return { ok: false, problem: "too_deep" };
  const object = { ...value };
  const spans: LazySpan[] = [];
  for (const { name, id } of lazy) {
    const member: unknown = Reflect.get(value, name);
    const span = found.get(name);
    if (!span || typeof member !== "object" || member === null || Array.isArray(member)) continue;
    values.keepValue(id, sizeOf(span), member);
    spans.push({ name, id, span });
    Reflect.set(object, name, null);
  }
  return { ok: true, object, spans };
}

function define(context: unknown, path: readonly string[], get: () => unknown): void {
  let parent = context;
  for (const name of path.slice(0, -1)) {
    if (typeof parent === "object" && parent !== null) parent = Reflect.get(parent, name);
  }
  if (typeof parent !== "object" || parent === null) return;
  Object.defineProperty(parent, path.at(-1) ?? "", { get, enumerable: true });
}

/** While an expression is evaluated, this process does not notice that its parent is gone; a thread does. */
function endWithParent(): void {
  // By the time a thread has started, the parent may be gone already.
  const watch = `const parent = ${Number(process.argv[2])};
    setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1_000);`;
  new Worker(watch, { eval: true }).unref();
}
