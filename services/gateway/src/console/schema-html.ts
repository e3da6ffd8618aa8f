import { type Bundle, componentOf, isObject, type JsonObject, lookUp } from "./bundle.ts";
import { type Html, type HtmlValue, html, prose } from "./html.ts";

/** Schemas of a bundle as HTML: members as lists, inner objects behind a disclosure, schemas of their own as links. */
export function schemaHtml(document: Bundle) {
  /** In one line: `string`, `array of Agent`, `"a" or "b"`. */
  function type(schema: JsonObject): HtmlValue {
    if (typeof schema.$ref === "string") {
      const name = componentOf(schema.$ref);
      return name === undefined
        ? type(lookUp(document, schema.$ref))
        : html`<a href="#schema-${name}">${name}</a>`;
    }
    if ("const" in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
    if (Array.isArray(schema.enum))
      return either(schema.enum.map((one) => html`<code>${JSON.stringify(one)}</code>`));
    if (schema.type === "array")
      return isObject(schema.items) ? html`array of ${type(schema.items)}` : "array";
    const choices = choicesOf(schema);
    if (choices.length > 0 && schema.type !== "object") return either(choices.map(type));
    if (Array.isArray(schema.type)) return either(schema.type.map(String));
    return typeof schema.type === "string" ? schema.type : "any value";
  }

  /** What else is said of values, after their type. */
  function limits(schema: JsonObject): HtmlValue {
    const { format, pattern, default: usual } = schema;
    const said = [
      between(schema, "minimum", "maximum", ""),
      between(schema, "minLength", "maxLength", " characters"),
      between(schema, "minItems", "maxItems", " items"),
      typeof format === "string" ? html`a ${format}` : undefined,
      typeof pattern === "string" ? html`matching <code>${pattern}</code>` : undefined,
      usual === undefined ? undefined : html`by default <code>${told(usual)}</code>`,
    ].filter((one) => one !== undefined);
    return said.map((one) => html`, <span class="limits">${one}</span>`);
  }

  function member(name: string, schema: JsonObject, required: boolean, trail: readonly string[]): Html {
    const description =
      typeof schema.description === "string" ? html`<p>${prose(schema.description)}</p>` : undefined;
    return html`<li><code class="name">${name}</code> <span class="type">${type(schema)}</span>${
      required ? html`, <span class="required">required</span>` : undefined
    }${limits(schema)}${description}${within(schema, name, trail)}</li>`;
  }

  /** The members of an object, and of what an array or a reference to no schema of its own holds. */
  function within(schema: JsonObject, name: string, trail: readonly string[]): HtmlValue {
    const inner = members(schema, trail);
    return inner && html`<details><summary>Members of <code>${name}</code></summary>${inner}</details>`;
  }

  /** @param trail references that led here: a schema may contain itself */
  function members(schema: JsonObject, trail: readonly string[] = []): HtmlValue {
    const { $ref, items, properties, required } = schema;
    if (typeof $ref === "string")
      return componentOf($ref) !== undefined || trail.includes($ref)
        ? undefined
        : members(lookUp(document, $ref), [...trail, $ref]);
    if (isObject(items)) return members(items, trail);
    const needed = Array.isArray(required) ? required : [];
    const own = Object.entries(isObject(properties) ? properties : {});
    const list = own.flatMap(([name, one]) =>
      isObject(one) ? [member(name, one, needed.includes(name), trail)] : [],
    );
    const choices = choicesOf(schema).flatMap((choice) => {
      const inner = members(choice, trail);
      return inner ? [html`<li><span class="type">${titleOf(choice)}</span>${inner}</li>`] : [];
    });
    if (list.length + choices.length === 0) return undefined;
    return html`${list.length > 0 ? html`<ul class="members">${list}</ul>` : undefined}${
      choices.length > 0 ? html`<p>One of:</p><ul class="members">${choices}</ul>` : undefined
    }`;
  }

  function titleOf(choice: JsonObject): string {
    const named = typeof choice.$ref === "string" ? lookUp(document, choice.$ref) : choice;
    const name = typeof choice.$ref === "string" ? choice.$ref.split("/").at(-1) : undefined;
    return String(named.title ?? name ?? "object");
  }

  return { type, limits, members };
}

/** Schemas of which values match one. Conditions on members of an object, which `required` alone are, are left to its description. */
function choicesOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  const choices = [anyOf, oneOf].flatMap((all) => (Array.isArray(all) ? all : []));
  return choices.filter(isObject).filter((one) => CHOOSES.some((keyword) => keyword in one));
}

const CHOOSES = ["$ref", "type", "const", "enum", "properties", "items"];

/** `1 to 300`, `at least 1`; undefined without bounds. */
function between(schema: JsonObject, from: string, to: string, unit: string): string | undefined {
  const [least, most] = [schema[from], schema[to]];
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? undefined : `at most ${most}${unit}`;
}

function told(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function either(all: readonly HtmlValue[]): HtmlValue {
  return all.map((one, index) => [index > 0 ? " or " : "", one]);
}
