/** Markup whose inserted values have been escaped. */
export class Html {
  readonly text: string;

  /** @param text is taken as it is */
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** Markup from a template: whatever stands in a `${}` and is not markup itself is escaped, in elements and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) text += `${textOf(value)}${strings[index + 1] ?? ""}`;
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Renders prose of a contract: text in backticks becomes code. */
export function prose(text: string): Html {
  const parts = text.trim().split("`");
  // A backtick without a partner is shown as it is.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
