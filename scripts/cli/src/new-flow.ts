import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkManifest, writtenManifest } from "@interlock/gateway/manifest";
import { parse } from "yaml";
import { manifestIn } from "./own-agents.ts";
import { addEntry, type Entry, removeEntry } from "./yaml-text.ts";

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const LONGEST_NAME = 32;

/** What a flow is made of: its own name, and the task that its first step asks for. */
interface Made {
  readonly name: string;
  readonly agent: string;
  readonly task: string;
}

/** What is changed, from the text of a file to another. */
interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * `new:flow NAME [--task AGENT/TASK] [--in FILE] [--remove]`: adds a flow of two steps to the manifest, or to a part of it: a task of an
 * agent, and a book that its outputs are written to once somebody has approved them. Either all of it is written, and the manifest is then
 * valid, or nothing is. `--remove` takes it away again, as long as it is as it was made.
 *
 * @param folder where the manifest is, unless MESH_FILE names another one
 * @param words how this command, and those of `start` and `token`, are called here
 * @returns what is said
 * @throws Error with what keeps it from being made
 */
export function newFlow(
  args: readonly string[],
  folder: string,
  words: Readonly<Record<"self" | "start" | "token", string>>,
): string {
  const usage = `usage: ${words.self} NAME [--task AGENT/TASK] [--in FILE] [--remove]`;
  const { values, positionals } = readArguments(args, usage);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(`Name one flow.\n${usage}`);
  if (!NAME.test(name) || name.length > LONGEST_NAME)
    throw new Error(
      `A name has lower-case letters, digits and single hyphens, begins with a letter, and has at most ${LONGEST_NAME} characters.`,
    );
  const manifest = manifestIn(folder);
  const files = filesOf(manifest);
  if (values.remove) return removed(name, manifest, files);

  const part = values.in === undefined ? manifest : resolve(folder, values.in);
  if (!files.includes(part))
    throw new Error(`${near(part)} is no part of ${near(manifest)}: it includes no such file.`);
  const made = { name, ...taskIn(manifest, values.task) };
  const summary = write(manifest, editsOf(addEntry, made, part, manifest));
  return `Made the flow ${name} in ${near(part)}: ${made.agent} does ${made.task}, and what it answers is written to a book once a ${name}-approver has approved it.
The manifest is valid: ${summary}.

Next:

  ${words.start}
  ask "prepare the ${spoken(name)}", or "submit the ${spoken(name)}", with the inputs that ${made.task} takes
  ${words.token} --user bo --role ${name}-approver      (decides)
  curl -s http://127.0.0.1:8080/api/v1/${name}      (what has been approved)
  ${words.self} ${name} --remove
`;
}

function readArguments(args: readonly string[], usage: string) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { task: { type: "string" }, in: { type: "string" }, remove: { type: "boolean" } },
    });
  } catch (error) {
    throw new Error(`${Error.isError(error) ? error.message : "The arguments are not valid."}\n${usage}`);
  }
}

function removed(name: string, manifest: string, files: readonly string[]): string {
  const part = files.find((file) => Object.hasOwn(Object(sectionsOf(file).flows), name));
  if (part === undefined) throw new Error(`There is no flow ${name}.`);
  const { agent, task_type: task } = Object(Object(sectionsOf(part).flows)[name]?.steps?.prepare);
  const made = { name, agent: String(agent), task: String(task) };
  write(manifest, editsOf(removeEntry, made, part, manifest));
  return `Removed the flow ${name}, and what belongs to it, from ${near(part)}.\n`;
}

/** The manifest, and the files that it includes. */
function filesOf(manifest: string): string[] {
  const { include } = sectionsOf(manifest);
  const parts = Array.isArray(include) ? include.map((name) => resolve(dirname(manifest), String(name))) : [];
  return [manifest, ...parts];
}

function sectionsOf(file: string): Record<string, unknown> {
  return Object(parse(readFileSync(file, "utf8")));
}

/** @param said `agent/TASK`; absent: the only task that there is */
function taskIn(manifest: string, said: string | undefined): Pick<Made, "agent" | "task"> {
  const agents: Record<string, { tasks?: object }> = Object(writtenManifest(manifest).agents);
  const all = Object.entries(agents).flatMap(([agent, { tasks = {} }]) =>
    Object.keys(tasks).map((task) => ({ agent, task })),
  );
  const fitting = all.filter(({ agent, task }) => said === undefined || said === `${agent}/${task}`);
  const [one, ...more] = fitting;
  if (one !== undefined && more.length === 0) return one;
  const known = all.map(({ agent, task }) => `${agent}/${task}`).join(", ");
  const problem = said === undefined ? "Say which task the flow begins with" : `There is no task ${said}`;
  throw new Error(`${problem}: --task ${known === "" ? "AGENT/TASK" : `is one of ${known}`}.`);
}

/** Only the manifest itself has roles. */
function editsOf(
  change: (text: string, entry: Entry) => string,
  made: Made,
  part: string,
  manifest: string,
): Edit[] {
  const changed = (file: string, entries: readonly Entry[]): Edit => {
    const before = readFileSync(file, "utf8");
    try {
      return { file, before, after: entries.reduce(change, before) };
    } catch (error) {
      const why = Error.isError(error) ? error.message : String(error);
      throw new Error(`${near(file)}: ${why.replace(/\.$/, "")}. Nothing was changed.`);
    }
  };
  const own = entriesOf(made);
  const roles = roleOf(made.name);
  if (part === manifest) return [changed(part, [...own, roles])];
  return [changed(part, own), changed(manifest, [roles])];
}

function entriesOf({ name, agent, task }: Made): Entry[] {
  const words = spoken(name);
  const flow = [
    `${name}:`,
    "  steps:",
    "    prepare:",
    `      agent: ${agent}`,
    `      task_type: ${task}`,
    "      inputs: request.inputs",
    "    # Waits for somebody else, always: `when: steps.prepare.outputs.…` says when, `proposal` what is decided about.",
    "    submit:",
    "      needs: [prepare]",
    "      publish: approval.proposal",
    `      to: ${name}`,
    "      approval:",
    "        proposal: steps.prepare.outputs",
    `        roles: [${name}-approver]`,
    "  goals:",
    "    prepare: [prepare]",
    "    submit: [submit]",
    "  answer: prepare",
  ];
  const services: Entry[] = [
    {
      path: ["services"],
      key: name,
      lines: [`${name}:`, `  flow: ${name}`, "  goals: [prepare]", `  examples: [prepare the ${words}]`],
    },
    {
      path: ["services"],
      key: `submit-${name}`,
      lines: [
        `submit-${name}:`,
        `  flow: ${name}`,
        "  goals: [submit]",
        "  orders: { en: [submit] }",
        `  examples: [submit the ${words}]`,
      ],
    },
  ];
  const book = { path: ["endpoints"], key: name, lines: [`${name}: { book: ${name} }`] };
  return [{ path: ["flows"], key: name, lines: flow }, ...services, book];
}

function roleOf(name: string): Entry {
  const key = `${name}-approver`;
  const lines = [`${key}: { inherits: [viewer], approvals: { decide: [${name}/submit] } }`];
  return { path: ["access", "roles"], key, lines };
}

/** As people write it. */
function spoken(name: string): string {
  return name.replaceAll("-", " ");
}

/** Writes the files, and puts them back where the manifest is then not valid. @returns what a valid one declares */
function write(manifest: string, edits: readonly Edit[]): string {
  const written: Edit[] = [];
  try {
    for (const edit of edits) {
      replace(edit.file, edit.after);
      written.push(edit);
    }
    const { problems, summary } = checkManifest(near(manifest), process.env);
    if (problems.length > 0)
      throw new Error(`Nothing was changed: the manifest would not be valid.\n${problems.join("\n")}`);
    return summary;
  } catch (error) {
    for (const { file, before } of written) replace(file, before);
    throw error;
  }
}

/** Whoever reads the file sees the old text or the new one. */
function replace(file: string, text: string): void {
  const next = join(dirname(file), `.${process.pid}.new-flow`);
  writeFileSync(next, text);
  renameSync(next, file);
}

/** A path as it is seen from here. */
function near(file: string): string {
  const seen = relative(process.cwd(), file);
  return seen.startsWith("..") ? file : seen;
}
