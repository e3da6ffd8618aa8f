import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { explain, gatewayContract, type MeshManifest, schemas } from "@interlock/contracts";
import { parse } from "yaml";
import { type EgressOptions, EgressRules } from "../egress/index.ts";
import { checkEgress, checkReferences } from "./check.ts";
import { compileMesh } from "./compile.ts";
import { credentialProblems } from "./credentials.ts";
import type { Evaluator } from "./expression.ts";
import type { Mesh } from "./model.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the gateway runs, as far as it decides what it may connect to. */
export type Surroundings = Omit<EgressOptions, "allow">;

/** A manifest that cannot be used; every problem is named. */
export class MeshError extends Error {
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file} is not a valid mesh manifest:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "MeshError";
    this.problems = problems;
  }
}

/**
 * Reads, checks and compiles a manifest.
 * @param pool evaluates the expressions of the manifest that are not quick
 * @throws MeshError with every problem of the first stage that finds any: variables, shape, references, places, expressions
 */
export function loadMesh(
  file: string,
  env: Env,
  pool: Evaluator,
  surroundings: Surroundings = { loopback: true },
): Mesh {
  const refuseIfAny = (problems: readonly string[]): void => {
    if (problems.length > 0) throw new MeshError(file, problems);
  };
  const { text, problems } = substitute(readManifest(file), env);
  refuseIfAny(problems);
  const manifest = parseManifest(file, text);
  refuseIfAny(checkReferences(manifest));
  // One variable may hold several entries.
  const allow = manifest.egress?.allow?.flatMap((entry) => entry.split(",").map((one) => one.trim()));
  refuseIfAny(EgressRules.problemsOf(allow ?? []).map((problem) => `egress.allow: ${problem}`));
  const egress = new EgressRules({ ...surroundings, allow });
  refuseIfAny(checkEgress(manifest, egress));
  const resolved = (path: string) => resolve(dirname(resolve(file)), path);
  const files = { resolve: resolved, readObject: (path: string) => readObject(resolved(path)) };
  const compiled = compileMesh(manifest, files, pool);
  refuseIfAny(compiled.problems);
  return { ...compiled.mesh, egress };
}

function readManifest(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new MeshError(file, ["the file cannot be read"]);
  }
}

const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g;

/** Replaces `${NAME}` and `${NAME:-default}` outside of comments. */
function substitute(text: string, env: Env): { text: string; problems: string[] } {
  const problems: string[] = [];
  const lines = text.split("\n").map((line) => {
    if (line.trimStart().startsWith("#")) return line;
    return line.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
      const value = env[name] || fallback;
      if (value === undefined) problems.push(`the variable ${name} is not set and has no default`);
      return value ?? "";
    });
  });
  return { text: lines.join("\n"), problems };
}

function parseManifest(file: string, text: string): MeshManifest {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    const [firstLine = "not YAML"] = Error.isError(error) ? error.message.split("\n") : [];
    throw new MeshError(file, [firstLine]);
  }
  // First: what the schema finds wrong with a value may quote it.
  const credentials = credentialProblems(raw);
  if (credentials.length > 0) throw new MeshError(file, credentials);
  const checked = gatewayContract.mesh(raw);
  if (checked.ok) return checked.value;
  throw new MeshError(
    file,
    schemas.gateway?.mesh ? explain(schemas.gateway.mesh, raw) : [checked.problem.message],
  );
}

/** The JSON object that a file holds, or undefined. */
function readObject(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
