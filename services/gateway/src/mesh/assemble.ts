import { basename, dirname, join, posix, resolve } from "node:path";
import { LineCounter, type Node, parseDocument } from "yaml";
import { MeshError } from "./mesh-error.ts";
import { Places } from "./places.ts";
import { SourceFiles } from "./sources.ts";
import { substitute } from "./substitute.ts";

type Plain = Record<string, unknown>;

/** A manifest put together from its own file and those that it includes, before it is checked. */
export type Assembled = { raw: unknown; places: Places };

export type AssembleOptions = {
  file: string;
  /** Absent: variables are left as they are written. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Names of the parts to take; absent: all. */
  only?: readonly string[] | undefined;
};

/** What an included file may declare; everything else is the mesh's own. */
const PART_SECTIONS = ["agents", "flows", "services", "endpoints"] as const;

/** Members that may be kept in a YAML file of their own: the member then is the file's name. */
const IN_FILES = [
  ["flows", "slots"],
  ["flows", "slot_words"],
  ["flows", "measures"],
  ["services", "examples"],
] as const;

/**
 * Puts a manifest together: `include` names its parts, and what a part names by a relative path lies beside the part.
 * @throws MeshError with what keeps the files from being put together; whether the result is a manifest is not checked
 */
export function assemble(sources: SourceFiles, { file, env, only }: AssembleOptions): Assembled {
  const places = new Places();
  const problems: string[] = [];
  const read = (name: string, text: string, at: readonly string[] = []): unknown => {
    const label = name === "" ? file : join(dirname(file), name);
    const filled = env ? substitute(text, env) : { text, problems: [] };
    problems.push(...filled.problems.map((problem) => (name === "" ? problem : `${label}: ${problem}`)));
    const lines = new LineCounter();
    const placeAt = (offset: number): string => {
      const { line, col } = lines.linePos(offset);
      return `${label}:${line}:${col}`;
    };
    const document = parseDocument(filled.text, { lineCounter: lines });
    const [error] = document.errors;
    if (error) {
      const [first = "not YAML"] = error.message.replace(/ at line \d+, column \d+:?/, "").split("\n");
      const name = error.code === "DUPLICATE_KEY" && /^[^\s:]+/.exec(filled.text.slice(error.pos[0]))?.[0];
      const said = name ? `"${name}" is there twice` : first;
      throw new MeshError(file, [`${placeAt(error.pos[0])}: ${said}`]);
    }
    places.add(document.contents as Node | null, at, placeAt);
    return document.toJS();
  };
  const readFile = (name: string, at: readonly string[]): unknown => {
    const text = sources.read(name)?.toString();
    if (text === undefined) {
      problems.push(`${at.join(".")}: the file ${name} cannot be read`);
      return undefined;
    }
    return read(name, text, at);
  };
  const whole = read("", sources.text);
  if (!isPlain(whole)) return { raw: whole, places };
  const { include, ...own } = whole;
  fillIn(own, readFile);
  const parts = includedIn(include, problems);
  for (const part of only ?? [])
    if (!parts.some((name) => partName(name) === part)) problems.push(`include: there is no part "${part}"`);
  for (const [index, name] of parts.entries()) {
    if (only && !only.includes(partName(name))) continue;
    // The edition was made without it.
    if (sources.isStored && !sources.files.has(name)) continue;
    const before = places.copy();
    if (sources.read(name) === undefined) {
      problems.push(`include.${index}: the file ${name} cannot be read`);
      continue;
    }
    const part = readFile(name, []);
    if (part === undefined || part === null) continue;
    if (!isPlain(part)) problems.push(`${name}: a part is an object`);
    else {
      rebase(part, dirname(name));
      fillIn(part, readFile);
      merge({ into: own, part, before }, problems);
    }
  }
  if (problems.length > 0) throw new MeshError(file, problems, places);
  return { raw: own, places };
}

/**
 * A manifest as it is written, with its parts, for those who copy or look through one: variables are left as they are, and the files that
 * it names are found from anywhere.
 * @throws MeshError
 */
export function writtenManifest(file: string, only?: readonly string[]): Record<string, unknown> {
  const { raw } = assemble(new SourceFiles(file), { file, only });
  const manifest = plain(raw);
  rebase(manifest, dirname(resolve(file)));
  return manifest;
}

/** A part is called like its folder, where the file is called `domain`, or like the file. */
export function partName(file: string): string {
  const stem = basename(file).replace(/\.[^.]*$/, "");
  return stem === "domain" ? basename(dirname(file)) : stem;
}

function includedIn(include: unknown, problems: string[]): readonly string[] {
  if (include === undefined) return [];
  if (!Array.isArray(include) || !include.every((name) => typeof name === "string" && name !== "")) {
    problems.push("include: must be a list of files");
    return [];
  }
  const names = include.map((name: string) => posix.normalize(name));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) problems.push(`include: ${twice} is included twice`);
  return [...new Set(names)];
}

/** Paths in a part are relative to it, and from here on to the manifest. */
function rebase(part: Plain, folder: string): void {
  const moved = (path: unknown): unknown =>
    typeof path === "string" && !path.startsWith("/") ? posix.join(folder, path) : path;
  const move = (owner: Plain, member: string): void => {
    const value = owner[member];
    if (Array.isArray(value)) owner[member] = value.map(moved);
    else if (value !== undefined) owner[member] = moved(value);
  };
  for (const flow of members(part.flows)) for (const name of FLOW_PATHS) move(flow, name);
  for (const service of members(part.services)) {
    if (typeof service.examples === "string") move(service, "examples");
    move(service, "instructions");
  }
  for (const agent of members(part.agents)) {
    if (agent.command !== undefined) agent.cwd = moved(agent.cwd ?? ".");
    if (isPlain(agent.outputs)) for (const task of Object.keys(agent.outputs)) move(agent.outputs, task);
  }
}

const FLOW_PATHS = ["default_inputs", "intents", "slots", "slot_words", "measures"];

/** Reads the members that are kept in files of their own. */
function fillIn(part: Plain, readFile: (name: string, at: readonly string[]) => unknown): void {
  for (const [section, member] of IN_FILES) {
    for (const [name, owner] of Object.entries(plain(part[section]))) {
      if (!isPlain(owner) || typeof owner[member] !== "string") continue;
      owner[member] = readFile(owner[member], [section, name, member]);
    }
  }
}

function merge(
  { into, part, before }: { into: Plain; part: Plain; before: Places },
  problems: string[],
): void {
  for (const [section, declared] of Object.entries(part)) {
    if (section === "general") {
      into.general = joined(into.general, declared);
      continue;
    }
    if (!PART_SECTIONS.some((known) => known === section)) {
      problems.push(`${section}: a part has ${PART_SECTIONS.join(", ")} and general, and nothing else`);
      continue;
    }
    const known = plain(into[section]);
    for (const one of Object.keys(plain(declared)))
      if (Object.hasOwn(known, one))
        problems.push(`${section}.${one}: is declared at ${before.of([section, one])} already`);
    into[section] = isPlain(declared) ? { ...known, ...declared } : declared;
  }
}

/** What each part says to a message that asks for nothing, one after the other. */
function joined(before: unknown, more: unknown): unknown {
  if (before === undefined) return more;
  const [one, other] = [before, more].map((text) =>
    typeof text === "string" ? { en: text, ko: text } : plain(text),
  );
  const both = (language: string): string =>
    [one?.[language], other?.[language]]
      .flatMap((text) => (typeof text === "string" ? text.trim() : []))
      .join("\n");
  return { en: both("en"), ko: both("ko") };
}

const members = (section: unknown): Plain[] => Object.values(plain(section)).filter(isPlain);

const plain = (value: unknown): Plain => (isPlain(value) ? value : {});

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
