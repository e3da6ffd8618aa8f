/**
 * A process that looks into large JSON for the gateway, which ends it when it takes too much. It is a process and not a thread of the
 * gateway, since V8 ends the whole process where a single allocation exceeds a thread's memory limit.
 */
import { Worker } from "node:worker_threads";
import { compileForeignSchema, compileSchema, readJson, type Validator } from "@interlock/contracts";
import { canonicalJson } from "../../canonical-json.ts";
import { ConditionError, patched, tellCondition } from "../data/index.ts";
import { findMembers } from "../json-members.ts";
import { readable } from "../readable.ts";
import { atOnce } from "../turns.ts";
import type { Answers, ReadAnswer, Task } from "./messages.ts";
import { TextReceiver, TextSender } from "./texts.ts";

const validators = new Map<string, Validator<unknown>>();
/** Schemas of others change as others like. */
const foreign = new Map<string, Validator<unknown>>();
const MOST_FOREIGN = 500;
const received = new TextReceiver();

process.on("message", (message: Task) => {
  if (received.takes(message)) return;
  const task = { ...message, json: received.read()(message.json) };
  const sender = new TextSender();
  const answer = answerTo(task, sender);
  for (const piece of sender.pieces()) process.send?.(piece);
  process.send?.(answer);
});
process.on("disconnect", () => process.exit());
endWithParent();
process.send?.("ready");

function answerTo(task: Task<string>, sender: TextSender): Answers[Task["kind"]] {
  switch (task.kind) {
    case "read":
      return read(task);
    case "check":
      return check(task.schema, JSON.parse(task.json));
    case "judge":
      return judge(task.schema, JSON.parse(task.json));
    case "canonical":
      return { text: sender.add(canonicalJson(JSON.parse(task.json))) };
    case "readable":
      return { text: sender.add(readable(JSON.parse(task.json))) };
    case "holds":
      return holds(task);
    case "patch": {
      const whole = patched(JSON.parse(task.json), JSON.parse(task.edits), task.rule);
      return whole === undefined ? {} : { text: sender.add(canonicalJson(whole)) };
    }
    default:
      return task satisfies never;
  }
}

function read({ json, lazy, maxDepth }: Extract<Task<string>, { kind: "read" }>): ReadAnswer {
  // The depth is known without another look at all values.
  const result = readJson(json);
  if (!result.ok) return result;
  const { value } = result;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, problem: "not_an_object" };
  const { spans, depth } = atOnce(findMembers(json));
  if (depth > maxDepth) return { ok: false, problem: "too_deep" };
  const object: Record<string, unknown> = { ...value };
  const left = lazy.flatMap((name) => {
    const [member, span] = [object[name], spans.get(name)];
    if (!span || typeof member !== "object" || member === null || Array.isArray(member)) return [];
    object[name] = null;
    return { name, span };
  });
  return { ok: true, object, spans: left };
}

function check(schema: object, value: unknown): Answers["check"] {
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? compileSchema({ ...schema });
  validators.set(key, validate);
  const checked = validate(value);
  return checked.ok ? {} : { place: checked.problem.path };
}

function judge(schema: object, value: unknown): Answers["judge"] {
  try {
    const key = JSON.stringify(schema);
    const validate = foreign.get(key) ?? compileForeignSchema({ ...schema });
    if (foreign.size >= MOST_FOREIGN) foreign.clear();
    foreign.set(key, validate);
    const judged = validate(value);
    return judged.ok ? {} : { problem: judged.problem.message };
  } catch {
    // It is no schema, or one that is nested without end.
    return { problem: "the schema cannot be used" };
  }
}

function holds({ source, roots, json }: Extract<Task<string>, { kind: "holds" }>): Answers["holds"] {
  try {
    return { holds: tellCondition(source, roots, JSON.parse(json)) };
  } catch (error) {
    return { why: error instanceof ConditionError ? error.why : "it failed" };
  }
}

/** While it works, this process does not notice that its parent is gone; a thread does. */
function endWithParent(): void {
  // By the time a thread has started, the parent may be gone already.
  const watch = `const parent = ${Number(process.argv[2])};
    setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1_000);`;
  new Worker(watch, { eval: true }).unref();
}
