import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { blocksOf } from "../../docs-check/blocks.ts";
import { root } from "../../lib/paths.ts";

const ACTION = ".github/actions/conformance";

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/**
 * The commands of a workflow in their order, and those of this repository's Action. Its other actions prepare the runner, or keep files: the
 * project is there, and Node.
 */
export function commandsOf(workflow: string): string {
  const { jobs }: { jobs: Readonly<Record<string, { steps: readonly Step[] }>> } = parse(workflow);
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(commandOf));
  // What goes on beside the steps is stopped with the job; the next one may need its port.
  return ["set -e", "trap 'kill $(jobs -p); wait' EXIT", ...commands].join("\n");
}

function commandOf({ run, uses = "", with: given = {} }: Step): string[] {
  if (run !== undefined) return [run.trim()];
  if (!uses.includes(`/${ACTION}@`)) return [];
  const action: Action = parse(readFileSync(join(root, ACTION, "action.yml"), "utf8"));
  const unknown = Object.keys(given).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`The Action has no input ${unknown.join(", ")}.`);
  const filled = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name) => given[name] ?? action.inputs[name]?.default ?? "",
    );
  const settings = { GITHUB_ACTION_PATH: join(root, ACTION), RUNNER_TEMP: "." };
  return action.runs.steps.flatMap(({ run, env = {} }) => {
    if (run === undefined) return [];
    const all = Object.entries({ ...settings, ...env });
    return [
      `(export ${all.map(([name, value]) => `${name}='${filled(value).replaceAll("'", "'\\''")}'`).join(" ")}; ${run})`,
    ];
  });
}

/** The workflow with a step in place of its own of the same name. */
export function withStep(workflow: string, step: string): string {
  const [shown]: readonly { name: string }[] = parse(step);
  const own = new RegExp(`^      - name: ${shown?.name}\n(?: {8}.*\n)+`, "m");
  if (!own.test(workflow)) throw new Error(`The workflow has no step "${shown?.name}".`);
  return workflow.replace(own, () => step);
}

/** The workflow, or the step of one, that a document shows with the Action. */
export function workflowIn(document: string): string {
  const blocks = blocksOf(document, readFileSync(join(root, document), "utf8"));
  const found = blocks.find(({ language, text }) => language === "yaml" && text.includes(`/${ACTION}@`));
  if (found === undefined) throw new Error(`${document} has no workflow with the Action.`);
  return found.text;
}
