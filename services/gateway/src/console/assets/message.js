/** Answers as people read them: where a text lists values, they are a table that sorts, and a file. */
import { useState } from "preact/hooks";
import { download, html } from "./parts.js";
import { t } from "./texts.js";

/** `- VALVE-V7, new: 115.00 → 120.75 (+5%)`: where, before, after, change. */
const LINE = /^- ([^:]{1,120}): ([−-]?[\d,.]+) → ([−-]?[\d,.]+)(?: \(([+−-]?[\d.,]+) ?%\))?$/;
/** Fewer lines read well as they are. */
const FEWEST = 2;

/**
 * A text in parts: lists of moves as rows, the rest as text.
 * @param {string} text @returns {({text: string} | {rows: (string | number | undefined)[][]})[]}
 */
export function messageParts(text) {
  /** @type {ReturnType<typeof messageParts>} */
  const parts = [];
  let plain = /** @type {string[]} */ ([]);
  let rows = /** @type {(string | number | undefined)[][]} */ ([]);
  let listed = /** @type {string[]} */ ([]);
  const flush = () => {
    if (rows.length >= FEWEST) {
      if (plain.join("").trim() !== "") parts.push({ text: plain.join("\n").trim() });
      parts.push({ rows });
      plain = [];
    } else plain.push(...listed);
    rows = [];
    listed = [];
  };
  for (const line of text.split("\n")) {
    const found = LINE.exec(line);
    if (found) {
      const [, where = "", before = "", after = "", change] = found;
      rows.push([
        where,
        numberOf(before),
        numberOf(after),
        change === undefined ? undefined : numberOf(change),
      ]);
      listed.push(line);
    } else {
      flush();
      plain.push(line);
    }
  }
  flush();
  if (plain.join("").trim() !== "") parts.push({ text: plain.join("\n").trim() });
  return parts;
}

/** @param {string} text */
const numberOf = (text) => Number(text.replaceAll(",", "").replace("−", "-"));

const money = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const percent = new Intl.NumberFormat("en-GB", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 3,
  signDisplay: "exceptZero",
});

/** @param {{rows: (string | number | undefined)[][]}} props */
export function TextTable({ rows }) {
  const names = [t("approvals.what"), t("approval.before"), t("approval.after"), `${t("approval.change")} %`];
  const [order, setOrder] = useState({ column: -1, up: true });
  const { column, up } = order;
  const shown =
    column < 0 ? rows : rows.toSorted((one, other) => (up ? 1 : -1) * compared(one[column], other[column]));
  const csv = () => [names, ...rows].map((row) => row.map(csvField).join(",")).join("\r\n");
  return html`<table class="data"><thead><tr>${names.map(
    (
      name,
      at,
    ) => html`<th scope="col" class=${at > 0 ? "num" : ""} aria-sort=${at === column ? (up ? "ascending" : "descending") : "none"}>
      <button type="button" class="sorts" aria-label=${t("talks.sort", { name })} onClick=${() => setOrder({ column: at, up: at === column ? !up : true })}>${name}${at === column ? (up ? " ↑" : " ↓") : ""}</button></th>`,
  )}</tr></thead><tbody>${shown.map(
    ([where, before, after, change]) =>
      html`<tr><th scope="row">${where}</th><td class="num">${money.format(Number(before))}</td><td class="num">${money.format(Number(after))}</td><td class="num">${change === undefined ? "–" : percent.format(Number(change))}</td></tr>`,
  )}</tbody></table>
  <p><button type="button" onClick=${() => download("values.csv", "text/csv", ["\ufeff", csv()])}>${t("talks.csv")}</button></p>`;
}

/** @param {string | number | undefined} one @param {string | number | undefined} other */
function compared(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one ?? "").localeCompare(String(other ?? ""));
}

/** A field that no spreadsheet takes for a formula. @param {string | number | undefined} value */
export function csvField(value) {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value ?? "") ? `'${value}` : (value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
