import { compileSchema, type MeshManifest } from "@interlock/contracts";
import { lessSizeOf, plainValue } from "../json-text.ts";
import type { LargeReader } from "./data/index.ts";
import type { OutputsCheck } from "./model.ts";

/** So many values are checked within a few milliseconds, even if each is compared with all others. */
const MOST_VALUES = 1_000;

/** The checks of one agent's outputs, by task. */
export function compileOutputs(
  name: string,
  outputs: NonNullable<MeshManifest["agents"][string]["outputs"]>,
  readObject: (file: string) => Record<string, unknown> | undefined,
  large: LargeReader,
): { checks: Map<string, OutputsCheck>; problems: string[] } {
  const checks = new Map<string, OutputsCheck>();
  const problems: string[] = [];
  for (const [task, given] of Object.entries(outputs)) {
    const where = `agents.${name}.outputs.${task}`;
    const schema = typeof given === "string" ? readObject(given) : given;
    if (!schema) {
      problems.push(`${where}: not a file that holds a JSON object`);
      continue;
    }
    try {
      checks.set(task, outputsCheck(schema, large));
    } catch (error) {
      problems.push(`${where}: ${Error.isError(error) ? error.message : "not a JSON Schema"}`);
    }
  }
  return { checks, problems };
}

function outputsCheck(schema: Record<string, unknown>, large: LargeReader): OutputsCheck {
  const validate = compileSchema(schema);
  return (outputs, signal) => {
    if (lessSizeOf(outputs, MOST_VALUES) < 0) return large.check(schema, outputs, signal);
    const checked = validate(plainValue(outputs));
    return checked.ok ? undefined : checked.problem.path;
  };
}
