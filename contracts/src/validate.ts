import { Ajv2020, type AnySchema, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Problem, toProblem } from "./problem.ts";
import { contractFolders, type JsonSchema } from "./schemas.ts";

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };
export type Validator<T> = (value: unknown) => Validated<T>;

/**
 * `ownProperties` keeps inherited names from counting as fields. `allErrors`, `verbose` and `$data` stay off, because
 * with them a sender decides how much work a refusal costs. Strict mode finds typos in schemas at start-up.
 */
export function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
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
  // Text for people that a problem with a rule beside it repeats, say what unit is meant.
  ajv.addKeyword({ keyword: "hint", schemaType: "string" });
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

const sharedAjv = once(() => newAjv());

/** Every property name that a schema declares. Only these may appear in the path of a problem. */
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

/** The `hint` beside the rule at a schema path such as `#/properties/share/maximum`. */
function hintIn(schema: JsonSchema, schemaPath: string): string | undefined {
  let at: unknown = schema;
  for (const raw of schemaPath.split("/").slice(1, -1)) {
    const segment = decodeURIComponent(raw).replaceAll("~1", "/").replaceAll("~0", "~");
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, segment)
        ? Reflect.get(at, segment)
        : undefined;
  }
  const hint: unknown = typeof at === "object" && at !== null ? Reflect.get(at, "hint") : undefined;
  return typeof hint === "string" ? hint : undefined;
}

function validator<T>(
  check: () => ValidateFunction<T>,
  known: () => ReadonlySet<string>,
  hintAt?: (schemaPath: string) => string | undefined,
): Validator<T> {
  const compiled = once(check);
  return (value) => {
    const validate = compiled();
    if (validate(value)) return { ok: true, value };
    return { ok: false, problem: toProblem(validate.errors ?? [], value, known(), hintAt) };
  };
}

/**
 * Compiles a JSON Schema (2020-12) at once, so that a mistake in it is found where it is declared.
 *
 * @throws Error that says what is wrong with the schema
 */
export function compileSchema<T = unknown>(schema: JsonSchema): Validator<T> {
  const check = sharedAjv().compile<T>(schema satisfies AnySchema);
  return validator(
    () => check,
    once(() => collectNames(schema, new Set())),
    (schemaPath) => hintIn(schema, schemaPath),
  );
}

/**
 * Compiles a schema that somebody else wrote: with keywords that nobody knows, or for an earlier draft, of which what 2020-12 has, too,
 * counts. Such a schema may take for ever to check: it belongs into a process that can be ended.
 *
 * @throws Error that says what is wrong with the schema
 */
export function compileForeignSchema({
  $schema: _draft,
  $id: _id,
  ...schema
}: JsonSchema): Validator<unknown> {
  // An instance of its own: names in it must not meet those of others.
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
  addFormats.default(ajv);
  const check = ajv.compile(schema satisfies AnySchema);
  return validator(
    () => check,
    once(() => collectNames(schema, new Set())),
  );
}

/** The validators of the contract in folder `<name>/v1`. Each is compiled on first use. */
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

/**
 * Compiles validators of contracts now instead of on first use. Compiling one takes some ten milliseconds, so a program does so before it
 * serves others.
 */
export function compileNow(validators: readonly Validator<unknown>[]): void {
  for (const validate of validators) validate(undefined);
}
