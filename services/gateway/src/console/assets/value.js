/** Any JSON value, as people read it: tables where it is one, words where it has some. */
import { html, numberText, wordsOf } from "./parts.js";

const DEEPEST = 4;
const MOST_ROWS = 200;

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value */
const isPlain = (value) => typeof value !== "object" || value === null;

/** Whether there is anything to see. @param {unknown} value */
export function isNothing(value) {
  if (Array.isArray(value)) return value.length === 0;
  return (
    value === null ||
    value === undefined ||
    value === "" ||
    (isObject(value) && Object.keys(value).length === 0)
  );
}

/** @param {{value: any, depth?: number}} props */
export function Value({ value, depth = 0 }) {
  if (typeof value === "number") return html`<span class="number">${numberText(value)}</span>`;
  if (typeof value === "string") return html`<span class="words">${value}</span>`;
  if (isPlain(value)) return html`<span>${value === true ? "✓" : value === false ? "✗" : "–"}</span>`;
  if (depth >= DEEPEST) return html`<code>${JSON.stringify(value)}</code>`;
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return html`<span>${value.map(String).join(", ") || "–"}</span>`;
    const rows = value.slice(0, MOST_ROWS);
    return rows.every(isObject)
      ? html`<${Rows} rows=${rows} depth=${depth} />`
      : html`<code>${JSON.stringify(value)}</code>`;
  }
  const entries = Object.entries(value);
  // Alike objects under names are a table, too.
  if (entries.length > 1 && entries.every(([, one]) => isObject(one) && Object.values(one).every(isPlain)))
    return html`<${Rows} rows=${entries.map(([name, one]) => ({ "": wordsOf(name), ...one }))} depth=${depth} />`;
  return html`<dl class="pairs">${entries.map(
    ([name, one]) =>
      html`<div><dt>${wordsOf(name)}</dt><dd><${Value} value=${one} depth=${depth + 1} /></dd></div>`,
  )}</dl>`;
}

/** @param {{rows: Record<string, unknown>[], depth: number}} props */
function Rows({ rows, depth }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return html`<table class="data list">
    <thead><tr>${names.map((name) => html`<th scope="col" class=${kindOf(rows, name)}>${wordsOf(name)}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr>${names.map((name) => html`<td class=${kindOf(rows, name)} data-label=${wordsOf(name)}><${Value} value=${row[name]} depth=${depth + 1} /></td>`)}</tr>`,
    )}</tbody>
  </table>`;
}

/** @param {Record<string, unknown>[]} rows @param {string} name */
const kindOf = (rows, name) => (rows.every((row) => typeof row[name] === "number") ? "num" : "");
