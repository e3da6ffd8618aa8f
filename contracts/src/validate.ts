import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Problem, toProblem } from "./problem.ts";
import { contractFolders, type JsonSchema } from "./schemas.ts";

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };
export type Validator<T> = (value: unknown) => Validated<T>;

/**
 * `ownProperties`: an inherited name is not a field. No `allErrors`, `verbose` or `$data`: they let a sender
 * choose how much work a refusal is. Types and formats are strict so that a schema's typing slip is found at start.
 */
function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    strictTuples: false,
    discriminator: true,
    ownProperties: true,
    addUsedSchema: false,
    logger: false,
  });
  addFormats.default(ajv);
  for (const { files } of contractFolders) for (const { schema } of files) ajv.addSchema(schema);
  return ajv;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const sharedAjv = once(newAjv);

/** Every property name that a schema, or one that it refers to, declares: what a problem's path may say. */
function collectNames(node: unknown, into: Set<string>): Set<string> {
  if (Array.isArray(node)) for (const entry of node) collectNames(entry, into);
  else if (typeof node === "object" && node !== null) {
    for (const [key, child] of Object.entries(node)) {
      const holdsNames = key === "properties" && typeof child === "object" && child !== null;
      if (holdsNames) for (const name of Object.keys(child)) into.add(name);
      collectNames(child, into);
    }
  }
  return into;
}

const contractNames = once(() => {
  const names = new Set<string>();
  for (const { files } of contractFolders) for (const { schema } of files) collectNames(schema, names);
  return names;
});

function validator<T>(check: () => ValidateFunction<T>, known: () => ReadonlySet<string>): Validator<T> {
  const compiled = once(check);
  return (value) => {
    const validate = compiled();
    if (validate(value)) return { ok: true, value };
    return { ok: false, problem: toProblem(validate.errors ?? [], value, known()) };
  };
}

/**
 * Compiles a schema of one's own (2020-12) now, so that a mistake in it is found when it is declared.
 * Throws an Error that says what is wrong with the schema.
 */
export function compileSchema<T = unknown>(schema: JsonSchema): Validator<T> {
  const check = sharedAjv().compile<T>(schema satisfies AnySchema);
  return validator(
    () => check,
    once(() => collectNames(schema, new Set())),
  );
}

/** The validators of the contract in folder `<name>/v1`, each compiled when it is first used. */
export function contractValidators<Types extends object>(
  name: string,
): { readonly [K in keyof Types]: Validator<Types[K]> } {
  const folder = contractFolders.find((candidate) => candidate.name === name);
  if (folder === undefined) throw new Error(`there is no contract named ${name}`);
  const entries = folder.files.map(({ name: schemaName, schema }) => [
    schemaName,
    validator(() => sharedAjv().compile({ $ref: schema.$id }), contractNames),
  ]);
  return Object.fromEntries(entries);
}
