import { readFileSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { type ConformanceKnown, conformanceContract } from "@interlock/contracts";
import { parse as parseYaml } from "yaml";
import type { Inputs } from "./evidence.ts";
import type { Target } from "./probes/agent-under-check.ts";
import { rules } from "./rules.ts";

export type Options = {
  readonly targets: readonly Target[];
  /** By task type. */
  readonly inputs: ReadonlyMap<string, Inputs>;
  readonly timeoutMs: number;
  /** How long targets may take to be ready, before they are checked. */
  readonly waitMs: number;
  /** Sent with run requests as `Authorization: Bearer`. */
  readonly token: string | undefined;
  readonly strict: boolean;
  readonly quiet: boolean;
  readonly tap: boolean;
  readonly jsonFile: string | undefined;
  readonly junitFile: string | undefined;
  /** Rules to check. All, if empty. */
  readonly rules: ReadonlySet<string>;
  readonly baseline: readonly ConformanceKnown[];
};

/** Invalid options. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const FLAGS = {
  target: { type: "string", multiple: true },
  inputs: { type: "string", multiple: true },
  timeout: { type: "string" },
  wait: { type: "string" },
  token: { type: "string" },
  json: { type: "string" },
  junit: { type: "string" },
  baseline: { type: "string" },
  rule: { type: "string", multiple: true },
  tap: { type: "boolean" },
  strict: { type: "boolean" },
  quiet: { type: "boolean" },
  list: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const satisfies ParseArgsOptionsConfig;

export type Command = Options | "help" | "list" | "version";

/** What the environment gives where the command line does not. */
export type Defaults = { readonly targets?: string | undefined; readonly token?: string | undefined };

/** @throws UsageError */
export function readOptions(args: readonly string[], defaults: Defaults): Command {
  const flags = parsed(args);
  for (const command of ["help", "version", "list"] as const) if (flags[command] === true) return command;
  const written = flags.target ?? (defaults.targets ?? "").split(",").filter((entry) => entry.trim() !== "");
  if (written.length === 0) {
    throw new UsageError(
      "no target: give --target URL=TASK, or set AGENT_CONTRACT_TARGETS=URL=TASK,URL=TASK",
    );
  }
  const targets = written.map(targetFrom);
  const inputs = new Map((flags.inputs ?? []).map(inputsFrom));
  for (const task of inputs.keys()) {
    if (!targets.some(({ taskType }) => taskType === task))
      throw new UsageError(`--inputs ${task}=…: no target has that task type`);
  }
  return {
    targets,
    inputs,
    timeoutMs: durationFrom("timeout", flags.timeout ?? "30"),
    waitMs: flags.wait === undefined ? 0 : durationFrom("wait", flags.wait),
    token: tokenFrom(flags.token ?? defaults.token),
    strict: flags.strict === true,
    quiet: flags.quiet === true,
    tap: flags.tap === true,
    jsonFile: flags.json,
    junitFile: flags.junit,
    rules: new Set((flags.rule ?? []).map(ruleFrom)),
    baseline: flags.baseline === undefined ? [] : baselineFrom(flags.baseline),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    // Node's message names the option and how to write it.
    throw new UsageError(error instanceof Error ? error.message : "the options cannot be read");
  }
}

function targetFrom(written: string): Target {
  const text = written.trim();
  const at = text.lastIndexOf("=");
  const address = text.slice(0, Math.max(at, 0));
  const url = URL.canParse(address) ? new URL(address) : null;
  const taskType = text.slice(at + 1).trim();
  const example = "such as http://127.0.0.1:8081=PRICE_OPTIMIZATION";
  if (at < 1 || url === null || taskType === "") throw new UsageError(`a target is URL=TASK, ${example}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(`a target's URL begins with http:// or https://, ${example}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`a target's URL has no user, password, query or fragment, ${example}`);
  }
  return { url: url.href.replace(/\/+$/, ""), taskType };
}

function inputsFrom(written: string): [task: string, inputs: Inputs] {
  const at = written.indexOf("=");
  if (at < 1 || at === written.length - 1) throw new UsageError("--inputs is TASK=file.json");
  const [task, file] = [written.slice(0, at), written.slice(at + 1)];
  let inputs: unknown;
  try {
    inputs = JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is not JSON`);
  }
  if (!isObject(inputs)) throw new UsageError(`${file} does not hold a JSON object: inputs are one`);
  return [task, inputs];
}

const UNITS = { ms: 1, s: 1000, m: 60_000 } as const;
const LONGEST_MS = 60 * 60_000;

function durationFrom(option: string, written: string): number {
  const [, digits = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(written) ?? [];
  const ms = Number(digits) * (unit === "ms" || unit === "m" ? UNITS[unit] : UNITS.s);
  if (digits === "" || ms < 1 || ms > LONGEST_MS) {
    throw new UsageError(`--${option} is a number of seconds up to an hour, such as 30, 1500ms or 2m`);
  }
  return ms;
}

function tokenFrom(written: string | undefined): string | undefined {
  if (written === undefined || written === "") return undefined;
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
  if (/^[\w.~+/-]+=*$/.test(written)) return written;
  throw new UsageError("--token is a bearer token: letters, digits and -._~+/");
}

function ruleFrom(id: string): string {
  if (rules.some((rule) => rule.id === id)) return id;
  throw new UsageError(
    `there is no rule ${/^[\w-]{1,40}$/.test(id) ? id : "of that name"}; --list shows all`,
  );
}

function baselineFrom(file: string): readonly ConformanceKnown[] {
  let content: unknown;
  try {
    content = parseYaml(textOf(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is neither JSON nor YAML`);
  }
  const checked = conformanceContract.baseline(content);
  if (!checked.ok)
    throw new UsageError(`${file}: ${checked.problem.path || "it"} ${checked.problem.message}`);
  for (const { rule } of checked.value.known) ruleFrom(rule);
  return checked.value.known;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

function isObject(value: unknown): value is Inputs {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
