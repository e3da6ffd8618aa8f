/** Why a value was not accepted. Built from names in the schema only, never from the value. */
export type Problem = {
  /** A JSON pointer. Names that the schema does not declare are replaced by `*`. */
  readonly path: string;
  /** The schema keyword that failed. */
  readonly rule: string;
  /** For people: the path, and what is wrong there. */
  readonly message: string;
};

/** The fields of an Ajv error that are used here. */
export type RawError = {
  readonly instancePath: string;
  readonly keyword: string;
  /** Where the rule is in the schema, as a URI fragment. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** Keywords whose branches report errors of their own. */
export const UNIONS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "if"]);
function depth(error: RawError): number {
  return error.instancePath.split("/").length;
}

/** When no branch of a union matches, Ajv reports the errors of every branch. The deepest one is the most useful. */
function mostTelling(errors: readonly RawError[]): RawError | undefined {
  const last = errors.at(-1);
  if (last === undefined || !UNIONS.has(last.keyword)) return last;
  return errors.reduce((best, error) => (depth(error) > depth(best) ? error : best), last);
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function safePath(pointer: string, value: unknown, known: ReadonlySet<string>): string {
  let at: unknown = value;
  let path = "";
  for (const raw of pointer.split("/").slice(1)) {
    const segment = unescapeSegment(raw);
    path += Array.isArray(at) || known.has(segment) ? `/${raw}` : "/*";
    at = typeof at === "object" && at !== null ? Reflect.get(at, segment) : undefined;
  }
  return path;
}

type Wording = (params: RawError["params"]) => string;

/** Patterns in words, for callers who have chosen a value by themselves. */
const FORMS: Readonly<Record<string, string>> = {
  "^https?://[^\\s?#]+$": "must be an address such as http://127.0.0.1:8090",
  "^[A-Za-z0-9_-]{1,64}$": "must be 1 to 64 letters (A to Z, a to z), digits, _ or -",
};

const withArticle = (type: unknown): string =>
  type === "null" ? "null" : `${/^[aeio]/.test(String(type)) ? "an" : "a"} ${type}`;

/** `params` come from the schema, except for two that quote the value; those two are not used. */
const WORDING: Readonly<Record<string, Wording>> = {
  required: () => "is required",
  type: ({ type }) => `must be ${[type].flat().map(withArticle).join(" or ")}`,
  enum: ({ allowedValues }) => `must be one of ${JSON.stringify(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) => `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit} ${limit === 1 ? "entry" : "entries"}`,
  maxItems: ({ limit }) => `must have at most ${limit} entries`,
  minProperties: ({ limit }) => `must have at least ${limit} ${limit === 1 ? "field" : "fields"}`,
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  pattern: ({ pattern }) => FORMS[String(pattern)] ?? `must match ${pattern}`,
  format: ({ format }) => `must be a valid ${format}`,
  uniqueItems: () => "must not repeat an entry",
  additionalProperties: () => "is not a known field",
  unevaluatedProperties: () => "is not a known field",
  propertyNames: () => "has a field with a name that is not allowed",
  discriminator: ({ tag }) => `must have a known ${tag}`,
  anyOf: () => "matches none of the allowed forms",
  oneOf: () => "must match exactly one of the allowed forms",
  not: () => "is not allowed",
};

/** What is wrong, without its place. */
export function wordingOf({ keyword, params }: Pick<RawError, "keyword" | "params">): string {
  return WORDING[keyword]?.(params) ?? `breaks the rule ${keyword}`;
}

export const UNKNOWN_FIELD: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/**
 * @param hintAt the hint that the schema gives beside the rule at a schema path
 */
export function toProblem(
  errors: readonly RawError[],
  value: unknown,
  known: ReadonlySet<string>,
  hintAt: (schemaPath: string) => string | undefined = () => undefined,
): Problem {
  const error = mostTelling(errors);
  if (error === undefined) return { path: "", rule: "invalid", message: "is not valid" };
  let path = safePath(error.instancePath, value, known);
  if (error.keyword === "required") path += `/${error.params.missingProperty}`;
  if (UNKNOWN_FIELD.has(error.keyword)) path += "/*";
  const text = wordingOf(error);
  const hint = hintAt(error.schemaPath);
  const message = `${path === "" ? "the value" : path} ${text}${hint === undefined ? "" : `: ${hint}`}`;
  return { path, rule: error.keyword, message };
}
