/** Runs, found by what is asked for in the address. */
import { useState } from "preact/hooks";
import { getJson, queryOf } from "./api.js";
import { duration, Empty, html, Moment, Problem, Scroll, State, shortId, useLoad, wordsOf } from "./parts.js";
import { t } from "./texts.js";

const LOOK_MS = 5_000;
const STATES = ["queued", "running", "paused", "resuming", "finished", "failed", "cancelled", "needs_review"];
const TEXTS = ["flow", "service", "agent", "session", "subject", "code"];
const NAMES = ["state", ...TEXTS, "from", "to"];

/** What the address asks for. */
const asked = () =>
  Object.fromEntries(NAMES.map((name) => [name, new URLSearchParams(location.search).get(name) ?? ""]));

export function Runs() {
  const [filters, setFilters] = useState(asked);
  const [before, setBefore] = useState("");
  const { session, from, to, ...others } = filters;
  const path = `/api/v1/runs${queryOf({ ...others, session_id: session, from: momentOf(from), to: momentOf(to), before })}`;
  const { data, error } = useLoad(
    (background) => getJson(path, { background }),
    [path],
    before ? undefined : LOOK_MS,
  );

  /** @param {Record<string, string>} wanted */
  function find(wanted) {
    setFilters(wanted);
    setBefore("");
    history.replaceState(null, "", `/console/runs${queryOf(wanted)}`);
  }
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    find(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()])));
  }
  const runs = data?.runs ?? [];
  return html`<h1>${t("runs.title")}</h1>
    <p class="lead">${t("runs.lead")}</p>
    <form class="filters" key=${JSON.stringify(filters)} onSubmit=${submit}>
      <div><label for="state">${t("runs.state")}</label><select id="state" name="state">
        <option value="">${t("runs.any")}</option>
        ${STATES.map((one) => html`<option value=${one} selected=${filters.state === one}>${t(`state.${one}`)}</option>`)}
      </select></div>
      ${TEXTS.map((name) => html`<div><label for=${name}>${t(`runs.${name}`)}</label><input id=${name} name=${name} value=${filters[name]} maxlength="128" spellcheck=${false} autocomplete="off" /></div>`)}
      ${["from", "to"].map((name) => html`<div class="wide"><label for=${name}>${t(`runs.${name}`)}</label><input id=${name} name=${name} type="datetime-local" value=${filters[name]} /></div>`)}
      <div class="row"><button type="submit" class="primary">${t("runs.filter")}</button>
      <button type="button" onClick=${() => find(Object.fromEntries(NAMES.map((name) => [name, ""])))}>${t("runs.clear")}</button></div>
    </form>
    <${Problem} error=${error} />
    ${data && runs.length === 0 ? (data.next ? html`<p class="note">${t("runs.looked")}</p>` : html`<${Empty} title=${t("runs.none")}><p>${t("runs.none_hint")}</p><//>`) : null}
    ${
      runs.length === 0
        ? null
        : html`<${Scroll} label=${t("runs.title")} list><table class="list"><thead><tr>
      <th scope="col">${t("runs.run")}</th><th scope="col">${t("runs.state")}</th><th scope="col">${t("runs.what")}</th>
      <th scope="col">${t("runs.subject")}</th><th scope="col">${t("runs.begun")}</th><th scope="col" class="num">${t("runs.took")}</th>
    </tr></thead><tbody>${runs.map((/** @type {any} */ run) => html`<${RunRow} key=${run.run_id} run=${run} />`)}</tbody></table><//>`
    }
    <p class="row">
      ${before ? html`<button type="button" onClick=${() => setBefore("")}>${t("more.first")}</button>` : null}
      ${data?.next ? html`<button type="button" onClick=${() => setBefore(data.next)}>${t("more.next")}</button>` : null}
    </p>`;
}

/** A field's moment, which is the reader's local time, for the API. @param {string | undefined} text */
function momentOf(text) {
  const at = new Date(text || Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** @param {{run: any}} props */
function RunRow({ run }) {
  const {
    run_id,
    state,
    flow,
    service,
    intent,
    asked: message,
    subject,
    created_at,
    finished_at,
    result,
  } = run;
  return html`<tr>
    <th scope="row"><a href=${`/console/runs/${run_id}`}><code class="id">${shortId(run_id)}</code></a></th>
    <td data-label=${t("runs.state")}><${State} state=${state} />${result?.code ? html`<br /><code class="id">${result.code}</code>` : null}</td>
    <td class="long whole">${message ?? wordsOf(intent)} <span class="tag">${service ?? flow ?? intent}</span></td>
    <td class="long" data-label=${t("runs.subject")}>${subject}</td>
    <td data-label=${t("runs.begun")}><${Moment} at=${created_at} seconds /></td>
    <td class="num" data-label=${t("runs.took")}>${finished_at ? duration(Date.parse(finished_at) - Date.parse(created_at)) : "–"}</td>
  </tr>`;
}
