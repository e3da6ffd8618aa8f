import type { ErrorObject } from "ajv";
import { nearest } from "./nearest.ts";
import { UNIONS, UNKNOWN_FIELD, wordingOf } from "./problem.ts";
import type { JsonSchema } from "./schemas.ts";
import { newAjv } from "./validate.ts";

/** More problems than that have one cause. */
const MOST = 20;

/**
 * Everything that is wrong with a document, for whoever wrote it: unlike the problems of requests, these quote the document's own names,
 * and suggest the field that a misspelt one may mean, or say which are allowed. Slow: for documents that a validator has refused.
 */
export function explain(schema: JsonSchema, value: unknown): string[] {
  const validate = newAjv({ allErrors: true, verbose: true }).compile({ $ref: schema.$id });
  validate(value);
  const errors = validate.errors ?? [];
  // What the branches of a union say matters only where nothing else is wrong with the object.
  const plain = errors.filter(
    ({ keyword, schemaPath }) =>
      // A name that is not allowed has an error of its own beside that of `propertyNames`.
      !UNIONS.has(keyword) && keyword !== "propertyNames" && !IN_BRANCH.test(schemaPath),
  );
  const unknown = plain.filter(({ keyword }) => UNKNOWN_FIELD.has(keyword));
  const others = (plain.length > 0 ? plain : errors.filter(({ keyword }) => UNIONS.has(keyword))).filter(
    (error) => !UNKNOWN_FIELD.has(error.keyword) && !unknown.some((one) => misspells(one, error)),
  );
  return [...new Set([...unknown, ...others].map(describe))].slice(0, MOST);
}

const IN_BRANCH = /\/(?:anyOf|oneOf|not|if)\//;

function describe(error: ErrorObject): string {
  const hint: unknown = error.parentSchema?.hint;
  const meant = UNKNOWN_FIELD.has(error.keyword) ? meantBy(error) : undefined;
  return [
    `${placeOf(error) || "/"}: ${wordingOf(error)}`,
    ...(meant === undefined ? allowedBeside(error) : [`; did you mean ${meant}?`]),
    ...(UNIONS.has(error.keyword) && typeof hint === "string" ? [`: ${hint}`] : []),
  ].join("");
}

function allowedBeside(error: ErrorObject): string[] {
  const fields: unknown = UNKNOWN_FIELD.has(error.keyword) ? error.parentSchema?.properties : undefined;
  return typeof fields === "object" && fields !== null
    ? [`; allowed here: ${Object.keys(fields).join(", ")}`]
    : [];
}

function placeOf({ keyword, instancePath, params, propertyName }: ErrorObject): string {
  if (propertyName !== undefined) return `${instancePath}/${propertyName}`;
  if (keyword === "required") return `${instancePath}/${params.missingProperty}`;
  return UNKNOWN_FIELD.has(keyword) ? `${instancePath}/${unknownField({ params })}` : instancePath;
}

function unknownField({ params }: Pick<ErrorObject, "params">): string {
  return String(params.additionalProperty ?? params.unevaluatedProperty);
}

/** The field of the object that a misspelt one may mean. */
function meantBy(error: ErrorObject): string | undefined {
  const fields: unknown = error.parentSchema?.properties;
  return typeof fields === "object" && fields !== null
    ? nearest(unknownField(error), Object.keys(fields))
    : undefined;
}

/** Whether a field is missing since another one was meant to be it. */
function misspells(unknown: ErrorObject, error: ErrorObject): boolean {
  return (
    error.keyword === "required" &&
    error.instancePath === unknown.instancePath &&
    meantBy(unknown) === error.params.missingProperty
  );
}
