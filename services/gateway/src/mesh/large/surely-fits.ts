/** Steps that one answer may take: well below a millisecond. */
const MOST_STEPS = 5_000;

type Steps = { left: number };
type Rule = (value: unknown, schema: Schema, steps: Steps) => boolean;
type Schema = Readonly<Record<string, unknown>>;

const said: Rule = () => true;

/** Keywords whose cost is known from the sizes of schema and value alone. A `pattern`, for one, may take for ever. */
const RULES = new Map<string, Rule>(
  Object.entries({
    ...{ $schema: said, $comment: said, title: said, description: said, default: said, examples: said },
    ...{ deprecated: said, readOnly: said, writeOnly: said, $defs: said, definitions: said },
    type: (value, { type }) => [type].flat().some((one) => isOf(value, one)),
    const: (value, schema) => isPlain(value) && value === schema.const,
    enum: (value, schema, steps) => {
      const allowed = listIn(schema.enum);
      steps.left -= allowed.length;
      return isPlain(value) && allowed.includes(value);
    },
    minimum: (value, { minimum }) => !isNumber(value) || (isNumber(minimum) && value >= minimum),
    maximum: (value, { maximum }) => !isNumber(value) || (isNumber(maximum) && value <= maximum),
    exclusiveMinimum: (value, { exclusiveMinimum: limit }) =>
      !isNumber(value) || (isNumber(limit) && value > limit),
    exclusiveMaximum: (value, { exclusiveMaximum: limit }) =>
      !isNumber(value) || (isNumber(limit) && value < limit),
    // A character may be two units of a text.
    minLength: (value, { minLength }) =>
      typeof value !== "string" || (isNumber(minLength) && value.length >= 2 * minLength - 1),
    maxLength: (value, { maxLength }) =>
      typeof value !== "string" || (isNumber(maxLength) && value.length <= maxLength),
    minItems: (value, { minItems }) =>
      !Array.isArray(value) || (isNumber(minItems) && value.length >= minItems),
    maxItems: (value, { maxItems }) =>
      !Array.isArray(value) || (isNumber(maxItems) && value.length <= maxItems),
    items: (value, { items }, steps) =>
      !Array.isArray(value) || value.every((one) => fits(items, one, steps)),
    required: (value, { required }, steps) => {
      if (!isObject(value)) return true;
      steps.left -= listIn(required).length;
      return (
        Array.isArray(required) &&
        required.every((name) => Object.hasOwn(value, name) && value[name] !== undefined)
      );
    },
    properties: (value, { properties }, steps) => {
      if (!isObject(value)) return true;
      const names = isObject(properties) ? Object.keys(properties) : [];
      steps.left -= names.length;
      return (
        isObject(properties) &&
        names.every((name) => !Object.hasOwn(value, name) || fits(properties[name], value[name], steps))
      );
    },
    additionalProperties: (value, { additionalProperties: schema, properties = {} }, steps) => {
      if (!isObject(value)) return true;
      const others = Object.keys(value).filter((name) => !Object.hasOwn(Object(properties), name));
      return others.every((name) => fits(schema, value[name], steps));
    },
    anyOf: (value, { anyOf }, steps) => listIn(anyOf).some((one) => fits(one, value, steps)),
    allOf: (value, { allOf }, steps) => Array.isArray(allOf) && allOf.every((one) => fits(one, value, steps)),
  } satisfies Record<string, Rule>),
);

/**
 * Whether a value fits a schema that nobody here has looked at, as far as that can be told at once, by rules that are no code of others.
 * @returns false also for what would need more: a keyword that is not among the rules, or too many steps
 */
export function surelyFits(schema: object, value: unknown): boolean {
  return fits(schema, value, { left: MOST_STEPS });
}

function fits(schema: unknown, value: unknown, steps: Steps): boolean {
  if (--steps.left < 0 || !isJson(value)) return false;
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) return false;
  for (const keyword in schema) {
    const rule = RULES.get(keyword);
    if (!rule?.(value, schema, steps) || --steps.left < 0) return false;
  }
  return true;
}

function isOf(value: unknown, type: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "number":
      return isNumber(value);
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    default:
      return false;
  }
}

/** What has a class may be written as something else. */
function isJson(value: unknown): boolean {
  if (typeof value === "object") return value === null || Array.isArray(value) || isObject(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isObject(value: unknown): value is Schema {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What JSON has no number for is none. */
function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
