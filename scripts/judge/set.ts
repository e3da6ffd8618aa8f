import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson, readLines } from "../eval/lines.ts";
import { type Domain, valuesIn } from "./domain.ts";

/** A constraint, as agents get it and as sets say what is wanted. */
export type Constraint = {
  readonly slot: string;
  readonly op: string;
  readonly value?: unknown;
  readonly unit?: string;
  readonly direction?: string;
  readonly scope?: Readonly<Record<string, unknown>>;
};

/** One that is wanted. `optional`: to have it in force is right, and not to is right, too. */
export type Wanted = Constraint & { readonly optional?: boolean };

export type Wants = {
  /** Goals of the flow, the flow's own name for all of its default ones, or one of `WORDS`. */
  readonly task: string | readonly string[];
  readonly constraints?: readonly Wanted[];
  readonly named?: readonly string[];
  readonly answers?: Readonly<Record<string, unknown>>;
};

/** Tasks that are no goal: out of scope; nothing to be done; to be asked back. */
export const WORDS = ["none", "talk", "ask"] as const;

export type Turn = { readonly says: string; readonly wants?: Wants };

export type Conversation = {
  readonly id: string;
  readonly domain: string;
  readonly language: "en" | "ko";
  readonly catalogue?: string;
  readonly turns: readonly Turn[];
};

/** @throws Error that lists what does not fit the format */
export function readSet(file: string): Conversation[] {
  const set = linesOf(file);
  const problems = set.flatMap((one, at) => {
    const id = typeof one.id === "string" ? one.id : `line ${at + 1}`;
    return shapeProblems(one).map((problem) => `${id}: ${problem}`);
  });
  const ids = new Set(set.map(({ id }) => id));
  if (ids.size < set.length) problems.push("two conversations have one id");
  if (new Set(set.map(({ domain }) => domain)).size !== 1) problems.push("a set is of one domain");
  if (problems.length > 0) throw new Error(`${file}:\n${problems.join("\n")}`);
  return set;
}

/** What the parser says of a line would quote it, and a set can be sealed. */
function linesOf(file: string): Conversation[] {
  try {
    return readLines<Conversation>(file);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${file}: a line is no JSON`);
    throw error;
  }
}

function shapeProblems({ id, language, turns }: Conversation): string[] {
  const problems: string[] = [];
  if (typeof id !== "string") problems.push("it has no id");
  if (language !== "en" && language !== "ko") problems.push("language is neither en nor ko");
  if (!Array.isArray(turns) || turns.length === 0) return [...problems, "it has no turns"];
  for (const [at, { says, wants }] of turns.entries()) {
    if (typeof says !== "string" || says === "") problems.push(`turn ${at + 1} says nothing`);
    if (wants && tasksOf(wants).length === 0) problems.push(`turn ${at + 1} wants no task`);
  }
  return problems;
}

export const tasksOf = ({ task }: Wants): readonly string[] => [task ?? []].flat();

/** What labels say that the domain, its catalogue or the message does not have. */
export function labelProblems(
  { id, turns }: Conversation,
  domain: Domain,
  catalogue = domain.catalogue,
): string[] {
  return turns.flatMap(({ says, wants }, at) => {
    if (!wants) return [];
    const known = [...WORDS, domain.flow, ...domain.goals.keys()];
    const isSaid = (phrase: string): boolean => says.toLowerCase().includes(phrase.toLowerCase());
    return [
      ...tasksOf(wants).flatMap((task) => (known.includes(task) ? [] : [`there is no task "${task}"`])),
      ...(wants.constraints ?? []).flatMap((one) => constraintProblems(one, domain)),
      ...(wants.constraints ?? []).flatMap((one) => nameProblems(one, domain, catalogue)),
      ...(wants.named ?? []).flatMap((phrase) => (isSaid(phrase) ? [] : [`it does not say "${phrase}"`])),
    ].map((problem) => `${id}, turn ${at + 1}: ${problem}`);
  });
}

/** Names that the catalogue does not have. */
function nameProblems(
  { slot, value, scope }: Wanted,
  domain: Domain,
  catalogue: Readonly<Record<string, unknown>>,
): string[] {
  const named = [...Object.entries(scope ?? {}), ...(domain.selects(slot) ? [[slot, value] as const] : [])];
  return named.flatMap(([name, given]) => {
    const declared = domain.slots.get(name);
    if (!declared) return [];
    const known = new Set([...valuesIn(catalogue, declared).keys(), ...Object.keys(declared.values ?? {})]);
    return [given]
      .flat()
      .flatMap((one) => (known.has(String(one)) ? [] : [`"${name}" has no "${String(one)}"`]));
  });
}

const UNITS: Readonly<Record<string, string>> = { percent: "share", money: "money", number: "number" };
const DIRECTIONS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  most: ["most", "up", "down"],
  least: ["least"],
  change: ["up", "down"],
};

function constraintProblems({ slot, op, value, unit, direction, scope }: Wanted, domain: Domain): string[] {
  const declared = domain.slots.get(slot);
  if (!declared) return [`there is no slot "${slot}"`];
  const problems: string[] = [];
  if (domain.selects(slot)) {
    // "last month" is said as one value, and is one of several.
    const ops = ["only", "except", "freeze", ...(declared.kind === "enum" ? ["set"] : [])];
    if (!ops.includes(op)) problems.push(`"${slot}" takes ${ops.join(", ")}`);
    if (op !== "set" && !Array.isArray(value)) problems.push(`the value of "${slot}" is an array`);
  } else {
    if (op !== "set") problems.push(`"${slot}" takes set`);
    if (unit !== UNITS[declared.kind]) problems.push(`the unit of "${slot}" is ${UNITS[declared.kind]}`);
    const directions = DIRECTIONS[declared.reads ?? ""] ?? [undefined];
    if (!directions.includes(direction)) problems.push(`the direction of "${slot}" is ${directions.join()}`);
    if (UNITS[declared.kind] && !(typeof value === "number" && value >= 0))
      problems.push(`the value of "${slot}" is a size`);
  }
  for (const name of Object.keys(scope ?? {}))
    if (!domain.selects(name)) problems.push(`"${name}" is no scope`);
  return problems;
}

/** The inputs that a conversation brings; undefined: the flow's own. @throws Error where there is no such file */
export function catalogueOf(
  { catalogue }: Conversation,
  setFile: string,
): Record<string, unknown> | undefined {
  if (catalogue === undefined) return undefined;
  const file = [catalogue, `${catalogue}.json`]
    .map((name) => join(dirname(setFile), name))
    .find((name) => existsSync(name));
  if (!file) throw new Error(`there is no catalogue "${catalogue}" beside ${setFile}`);
  return readJson(file);
}
