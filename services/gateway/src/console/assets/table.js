/** A CSV file of the user's own: how its columns are read as inputs, and what is to be corrected before it goes beside messages. */
import { useRef, useState } from "preact/hooks";
import { postJson } from "./api.js";
import { html, Problem, Scroll } from "./parts.js";
import { language, t } from "./texts.js";

/** @typedef {{name: string, csv: string, flow?: string, columns: Record<string, string | null>, was?: Record<string, string>, reading?: any, error?: unknown}} Table */

/** The table of a conversation. */
export function useTable() {
  const [table, setTable] = useState(/** @type {Table | undefined} */ (undefined));
  const latest = useRef(0);

  /** What was asked last counts, whatever is answered last. @param {Table | undefined} next */
  async function read(next) {
    latest.current += 1;
    const mine = latest.current;
    const show = (/** @type {Table | undefined} */ one) =>
      mine === latest.current ? setTable(one) : undefined;
    // What was read before stands there until there is something newer, but no message takes it.
    show(next?.reading ? { ...next, reading: { ...next.reading, inputs: undefined } } : next);
    if (!next) return;
    try {
      const { name, csv, flow, columns } = next;
      const body = { name, csv, columns, ...(flow === undefined ? {} : { flow }) };
      show({ ...next, reading: await postJson("/api/v1/tables", body), error: undefined });
    } catch (error) {
      show({ ...next, reading: undefined, error });
    }
  }

  /** @param {File | undefined} file */
  async function take(file) {
    if (!file) return;
    latest.current += 1;
    const before = { name: file.name, csv: "", columns: {} };
    const bytes = file.size <= MOST_BYTES ? await file.arrayBuffer() : undefined;
    try {
      if (!bytes) throw new Error(t("table.too_large", { most: MOST_BYTES / 1_000 }));
      // The name of a file may be anything; the gateway's note repeats it.
      await read({ ...before, name: file.name.slice(0, 200), csv: utf8.decode(bytes) });
    } catch (error) {
      setTable({ ...before, error: error instanceof TypeError ? new Error(t("table.no_text")) : error });
    }
  }

  /** @type {any} */
  const inputs = table?.reading?.inputs;
  return { table, inputs, isHeld: table !== undefined && !inputs, read, take };
}

const MOST_BYTES = 500_000;
/** A file in another encoding is refused: what is guessed wrong would be read wrong. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Chooses a file, by a click or a key. @param {{onChoose: (file: File | undefined) => void}} props */
export function ChooseTable({ onChoose }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  return html`<button type="button" onClick=${() => input.current?.click()}>${t("table.choose")}</button>
    <input ref=${input} type="file" accept=".csv,text/csv" hidden onChange=${(/** @type {any} */ event) => {
      onChoose(event.target.files[0]);
      // The same file, corrected, may be chosen again.
      event.target.value = "";
    }} />`;
}

/** How the table is read, to be corrected or removed. @param {{table: Table, onRead: (table: Table | undefined) => void}} props */
export function ReadTable({ table, onRead }) {
  const { name, reading, error } = table;
  const flows = reading?.flows ?? [];
  return html`<section class="panel" aria-label=${t("table.title")}>
    <div class="row"><strong>${name}</strong>
      <button type="button" onClick=${() => onRead(undefined)}>${t("table.remove")}</button></div>
    ${flows.length > 1 ? html`<div class="row"><label for="table-flow">${t("table.for")}</label> <select id="table-flow" onChange=${(/** @type {any} */ event) => onRead({ ...table, flow: event.target.value, columns: {} })}>${flows.map((/** @type {string} */ one) => html`<option value=${one} selected=${one === reading.flow}>${one}</option>`)}</select></div>` : null}
    ${error ? html`<${Trouble} error=${error} />` : null}
    ${reading?.problems ? html`<${Problems} problems=${reading.problems} />` : null}
    ${reading?.inputs ? html`<p role="status">${t("table.goes")} ${reading.note[language]}</p>` : null}
    ${reading ? html`<${Columns} table=${table} reading=${reading} onRead=${onRead} />` : null}
  </section>`;
}

/** What this page says itself is said as it is. @param {{error: any}} props */
function Trouble({ error }) {
  if (error.constructor === Error) return html`<p class="problem" role="alert">${error.message}</p>`;
  return html`<${Problem} error=${error} />`;
}

/** @param {{problems: any[]}} props */
function Problems({ problems }) {
  return html`<div class="problem" role="alert"><p>${t("table.held")}</p><ul>${problems.map(
    ({ line, column, text }) =>
      html`<li key=${`${line}:${column}:${text.en}`}>${t("table.place", { line, column })} ${text[language]}</li>`,
  )}</ul></div>`;
}

/** Which field each column is for. @param {{table: Table, reading: any, onRead: (table: Table) => void}} props */
function Columns({ table, reading, onRead }) {
  /** @type {{field: string, column?: string, kind: string}[]} */
  const read = reading.columns.filter((/** @type {any} */ one) => one.column !== undefined);
  const rows = [...read, ...reading.unused.map((/** @type {string} */ column) => ({ column }))];
  if (rows.length === 0) return null;
  const named = reading.fields.map((/** @type {{field: string}} */ { field }) => field);
  /** @param {string} column @param {string | undefined} before @param {string} field */
  function change(column, before, field) {
    const columns = { ...table.columns };
    if (before !== undefined) columns[before] = null;
    if (field !== "") columns[field] = column;
    const was = before === undefined ? table.was : { ...table.was, [column]: before };
    onRead({ ...table, flow: reading.flow, columns, ...(was ? { was } : {}) });
  }
  return html`<${Scroll} label=${t("table.columns")}><table class="data"><thead><tr>
    <th scope="col">${t("table.column")}</th><th scope="col">${t("table.field")}</th><th scope="col">${t("table.kind")}</th></tr></thead>
    <tbody>${rows.map(({ column, field, kind }) => {
      // A flow without fields of its own takes a column as the field of its name.
      const fields = named.length > 0 ? named : [field ?? table.was?.[column]];
      return html`<tr key=${column}><th scope="row">${column}</th>
        <td><select aria-label=${t("table.field_of", { column })} onChange=${(/** @type {any} */ event) => change(column, field, event.target.value)}>
          <option value="" selected=${field === undefined}>${t("table.unused")}</option>
          ${fields.map((/** @type {string} */ one) => html`<option value=${one} selected=${one === field}>${one}</option>`)}</select></td>
        <td>${kind === undefined ? "–" : t(`table.kind.${kind}`)}</td></tr>`;
    })}</tbody></table><//>`;
}
