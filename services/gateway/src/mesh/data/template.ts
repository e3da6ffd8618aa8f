import { JsonText, writeJson } from "../../json-text.ts";
import { membersOf, sizeOfText } from "./members.ts";
import { parseReference, type Reference } from "./reference.ts";
import { type Context, resolveReference } from "./resolve.ts";

/** Puts a value together from what its references lead to. */
export type Template = (context: Context, signal?: AbortSignal) => Promise<unknown>;

/** A template, and every reference in it. */
export type CompiledTemplate = { resolve: Template; references: readonly Reference[] };

/** Stands for the members of what it leads to. */
const SPREAD = "...";

/**
 * Compiles a template of the manifest. A text is a reference; an object or a list is built from its members, without references to nothing
 * and objects that become empty; numbers, true, false and null are themselves. `...: reference` adds the members of an object; later
 * members override them. `{ first: [reference, …] }` is the first that exists, `{ count: reference }` how many elements a list has, `{
 * literal: value }` the value as it is written, `{ text: "Mean {outputs.mean}" }` a text with the values of references in its places, or
 * nothing where one of them, or the reference `where` beside it, does not exist; by language as `{ text: { en: …, ko: … } }`. A member that
 * is called `text` and holds a reference, or `count` and holds an object, is a member like others.
 * @throws SyntaxError that says what is wrong and where within the template
 */
export function compileTemplate(source: unknown, where = ""): CompiledTemplate {
  const references: Reference[] = [];
  const resolve = compile(source, where, references);
  return { resolve, references };
}

function compile(source: unknown, where: string, references: Reference[]): Template {
  if (typeof source === "string") {
    const reference = referenceIn(source, where);
    references.push(reference);
    return (context) => resolveReference(reference, context);
  }
  if (typeof source !== "object" || source === null) return async () => source;
  const at = (name: string | number): string => (where === "" ? `${name}` : `${where}.${name}`);
  if (Array.isArray(source)) {
    const parts = source.map((part, index) => compile(part, at(index), references));
    return async (context) => listOf(await Promise.all(parts.map((part) => part(context))));
  }
  const entries = Object.entries(source);
  const [[name, argument] = ["", undefined]] = entries;
  if (entries.length === 1) {
    if (name === "literal") return async () => argument;
    if (name === "count" && typeof argument === "string")
      return countOf(compile(argument, at(name), references));
    if (name === "first" && Array.isArray(argument))
      return firstOf(argument.map((part, index) => compile(part, `${at(name)}.${index}`, references)));
  }
  if (
    "text" in source &&
    isText(source.text) &&
    entries.every(([member]) => member === "text" || member === "where")
  ) {
    const text = textOf(source.text, at("text"), references);
    const condition = "where" in source ? compile(source.where, at("where"), references) : undefined;
    return async (context) =>
      condition && (await condition(context)) === undefined ? undefined : await text(context);
  }
  const members = entries.map(([member, part]) => ({
    name: member,
    parts: (member === SPREAD ? [part].flat() : [part]).map((one) =>
      withoutEmpty(compile(one, at(member), references), one),
    ),
  }));
  return (context) => objectOf(members, context);
}

/** A member that is an object is left out where all that it would have leads nowhere. */
function withoutEmpty(template: Template, source: unknown): Template {
  const isObject = typeof source === "object" && source !== null && !Array.isArray(source);
  if (!isObject || Object.keys(source).length === 0 || "literal" in source) return template;
  return async (context) => {
    const value = await template(context);
    const isEmpty = typeof value === "object" && value !== null && !(value instanceof JsonText);
    return isEmpty && Object.keys(value).length === 0 ? undefined : value;
  };
}

function referenceIn(text: string, where: string): Reference {
  const reference = parseReference(text);
  if (reference) return reference;
  const place = where === "" ? "" : `${where}: `;
  throw new SyntaxError(
    `${place}${JSON.stringify(text.slice(0, 80))} is not a reference such as steps.check.outputs.passed; a text as it is written is { literal: … }`,
  );
}

/** Large members stay text, and then the whole is text. */
async function objectOf(
  members: readonly { name: string; parts: readonly Template[] }[],
  context: Context,
): Promise<unknown> {
  const object: Record<string, unknown> = {};
  for (const { name, parts } of members) {
    for (const part of parts) {
      const value = await part(context);
      if (value === undefined) continue;
      if (name === SPREAD) await spread(value, object);
      else define(object, name, value);
    }
  }
  const names = Object.keys(object);
  return names.some((name) => object[name] instanceof JsonText)
    ? new JsonText(writeJson(object), names)
    : object;
}

async function spread(value: unknown, object: Record<string, unknown>): Promise<void> {
  if (value instanceof JsonText)
    for (const [name, json] of await membersOf(value)) define(object, name, new JsonText(json));
  else if (typeof value === "object" && value !== null && !Array.isArray(value))
    for (const [name, member] of Object.entries(value)) define(object, name, member);
}

/** `__proto__` is a name like others. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function listOf(values: readonly unknown[]): unknown {
  const list = values.filter((value) => value !== undefined);
  if (!list.some((value) => value instanceof JsonText)) return list;
  const texts = list.map((value) => (value instanceof JsonText ? value.text : JSON.stringify(value)));
  return new JsonText(`[${texts.join(",")}]`);
}

function countOf(part: Template): Template {
  return async (context) => {
    const value = await part(context);
    if (value instanceof JsonText) return await sizeOfText(value);
    if (Array.isArray(value)) return value.length;
    return typeof value === "object" && value !== null ? Object.keys(value).length : undefined;
  };
}

const LANGUAGES: ReadonlySet<string> = new Set(["en", "ko"]);

/** A reference is no text: `{ text: request.message }` is an object with one member. */
function isText(argument: unknown): boolean {
  if (typeof argument === "string") return parseReference(argument) === undefined;
  if (typeof argument !== "object" || argument === null || Array.isArray(argument)) return false;
  const texts = Object.entries(argument);
  return texts.length > 0 && texts.every(([name, text]) => LANGUAGES.has(name) && isText(text));
}

const PLACE = /\{([^{}]*)\}/g;

function textOf(source: unknown, where: string, references: Reference[]): Template {
  if (typeof source === "string") return filledText(source, where, references);
  const languages = Object.entries(Object(source)).map(([language, text]): [string, Template] => [
    language,
    filledText(String(text), `${where}.${language}`, references),
  ]);
  const texts = new Map(languages);
  const [[, otherwise] = []] = languages;
  return async (context) => {
    const language = await resolveReference(["request", "language"], context);
    return await (texts.get(String(language)) ?? otherwise)?.(context);
  };
}

function filledText(text: string, where: string, references: Reference[]): Template {
  const places = Array.from(text.matchAll(PLACE), ([, name = ""]) => referenceIn(name, where));
  references.push(...places);
  return async (context) => {
    const values = await Promise.all(places.map((place) => resolveReference(place, context)));
    if (values.includes(undefined)) return undefined;
    const words = values.map(wordsOf);
    return text.replace(PLACE, () => words.shift() ?? "");
  };
}

/** Other values than texts and numbers are inserted as JSON. */
function wordsOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function firstOf(parts: readonly Template[]): Template {
  return async (context) => {
    for (const part of parts) {
      const value = await part(context);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}
