/** One approval: the proposal, what was found about it, and the decision on exactly this. */
import { useEffect, useRef, useState } from "preact/hooks";
import { getJson, newKey, postJson, Refused, signInAddress, whoAmI } from "./api.js";
import { staleness } from "./approvals.js";
import { columnText, fromNow, html, Moment, Problem, Scroll, State, useLoad, wordsOf } from "./parts.js";
import { changeOf, fieldOf, findingsOf, otherFindings, placeNames, rowsOf } from "./proposal.js";
import { t } from "./texts.js";
import { isNothing, Value } from "./value.js";

const LOOK_MS = 5_000;
const percent = new Intl.NumberFormat("en-GB", {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});

/** @param {{id: string}} props */
export function Approval({ id }) {
  const path = `/api/v1/approvals/${id}`;
  const {
    data: latest,
    error,
    reload,
  } = useLoad((background) => getJson(path, { background }), [path], LOOK_MS);
  const me = useLoad(whoAmI, []).data;
  // What is decided is what was seen: a newer proposal is announced, and shown when somebody wants to see it.
  const [seen, setSeen] = useState(/** @type {any} */ (undefined));
  useEffect(() => {
    if (latest && (!seen || seen.proposal_hash === latest.proposal_hash)) setSeen(latest);
  }, [latest]);
  if (!seen)
    return html`<h1>${t("approvals.title")}</h1>${error ? html`<${Problem} error=${error} />` : html`<p role="status">${t("looking")}</p>`}`;
  const isChanged = latest && latest.proposal_hash !== seen.proposal_hash;
  const shown =
    latest && !isChanged
      ? latest
      : { ...seen, state: latest?.state ?? seen.state, winner: latest?.winner ?? seen.winner };
  const title = t("approval.title", { step: wordsOf(seen.step), flow: wordsOf(seen.flow) });
  return html`<p class="crumb"><a href="/console/approvals">${t("approvals.title")}</a></p>
    <h1>${title}</h1>
    <p class="lead"><${State} state=${shown.state} /> · ${t("approval.lead", { by: seen.requested_by, when: fromNow(seen.created_at) })}</p>
    <${Problem} error=${error} />
    ${isChanged ? html`<p class="note" role="alert">${t("approval.changed")} <button type="button" onClick=${() => setSeen(latest)}>${t("approval.proposal")}</button></p>` : null}
    ${seen.sample ? html`<p class="note">${t("approval.sample_text")}</p>` : null}
    <div class="split">
      <div><${Proposal} key=${seen.proposal_hash} approval=${shown} me=${me} onSaved=${async () => {
        setSeen(await getJson(path));
        await reload();
      }} />
      <${Evidence} shown=${seen.shown} rule=${seen.edit} /></div>
      <aside><${Decision} approval=${shown} seen=${seen} me=${me} reload=${reload} onNew=${setSeen} /><${Facts} approval=${shown} /><${Log} id=${id} state=${`${shown.state}${seen.proposal_hash}`} /></aside>
    </div>`;
}

/** @param {{approval: any}} props */
function Facts({ approval }) {
  const deciders = approval.deciding_roles.join(", ") || t("approval.anyone");
  return html`<dl class="pairs panel">
    <div><dt>${t("approval.expires")}</dt><dd><${Moment} at=${approval.expires_at} />${approval.state === "pending" ? ` (${fromNow(approval.expires_at)})` : ""}</dd></div>
    <div><dt>${t("approval.deciders")}</dt><dd>${deciders}</dd></div>
    <div><dt>${t("approval.hash")}</dt><dd><code title=${approval.proposal_hash}>${approval.proposal_hash.slice(0, 16)}</code></dd></div>
    <div><dt>${t("approval.run")}</dt><dd><a href=${`/console/runs/${approval.run_id}`}>${approval.run_id.slice(0, 8)}…</a></dd></div>
  </dl>`;
}

/** @param {{approval: any, me: any, onSaved: () => Promise<void>}} props */
function Proposal({ approval, me, onSaved }) {
  const { proposal, shown, edit } = approval;
  const [isEditing, setEditing] = useState(false);
  const [edits, setEdits] = useState(/** @type {Record<string, unknown>} */ ({}));
  const [trouble, setTrouble] = useState(/** @type {any} */ (undefined));
  const [isBusy, setBusy] = useState(false);
  const rows = edit ? rowsOf(proposal, edit) : [];
  if (rows.length === 0)
    return html`<section class="panel"><h2>${t("approval.proposal")}</h2><${Scroll} label=${t("approval.proposal")}><${Value} value=${proposal} /><//></section>`;
  const before = new Map(rowsOf(shown?.before, edit).map((row) => [row.id, row.value]));
  const shownValue = columnText([...before.values(), ...rows.map(({ value }) => value)]);
  const mayEdit = approval.state === "pending" && isDecider(approval, me);
  const names = placeNames(edit);
  const changed = rows.filter((row) => row.id in edits && edits[row.id] !== row.value);
  const ofCall = edit.arguments !== undefined;
  const refusedBy = trouble instanceof Refused ? trouble.body.check?.violations : undefined;

  async function save() {
    setBusy(true);
    setTrouble(undefined);
    const body = {
      decision: "edit",
      proposal_hash: approval.proposal_hash,
      edits: changed.map((row) => ({ ...row.place, [edit.set]: edits[row.id] })),
    };
    try {
      await postJson(`/api/v1/approvals/${approval.id}/decision`, body, {
        headers: { "idempotency-key": newKey() },
      });
      await onSaved();
    } catch (failure) {
      setTrouble(failure);
      setBusy(false);
    }
  }

  return html`<section class="panel"><h2>${t("approval.proposal")}</h2>${ofCall ? html`<p><code>${proposal.tool}</code></p>` : null}
    <${Scroll} label=${t("approval.proposal")}><table class="data proposal ${ofCall ? "" : "values"}">
      <thead><tr>${names.map((name) => html`<th scope="col">${wordsOf(name)}</th>`)}
        ${ofCall ? null : html`<th scope="col" class="num">${t("approval.before")}</th>`}<th scope="col" class=${ofCall ? "" : "num"}>${ofCall ? wordsOf(edit.set) : t("approval.after")}</th>${ofCall ? null : html`<th scope="col" class="num">${t("approval.change")}</th><th scope="col">${t("approval.rule")}</th>`}</tr></thead>
      <tbody>${rows.map((row, at) => {
        const value = row.id in edits ? edits[row.id] : row.value;
        const change = changeOf(before.get(row.id), value);
        const [first = "", ...others] = Object.values(row.place);
        const isFirst = Object.values(rows[at - 1]?.place ?? {})[0] !== first;
        return html`<tr key=${row.id} class=${isFirst ? "group" : ""}>
          <th scope="row" class="long">${isFirst ? first : html`<span class="visually-hidden">${first}</span>`}</th>
          ${others.map((one) => html`<td>${one}</td>`)}
          ${ofCall ? null : html`<td class="num">${shownValue(before.get(row.id))}</td>`}
          <td class=${ofCall ? "long" : "num"}>${
            isEditing
              ? html`<${Field} rule=${edit} row=${row} value=${value} name=${t("approval.edit_value", { name: Object.values(row.place).join(" "), set: wordsOf(edit.set) })}
                onChange=${(/** @type {unknown} */ to) => setEdits((known) => ({ ...known, [row.id]: to }))} />`
              : html`<strong>${typeof value === "object" && value !== null ? JSON.stringify(value) : shownValue(value)}</strong>`
          }</td>
          ${
            ofCall
              ? null
              : html`<td class="num">${change === undefined ? "–" : percent.format(change)}</td>
          <td class="rule">
            ${findingsOf(refusedBy, row).map((text) => html`<p class="said bad" role="alert">${text}</p>`)}
            ${findingsOf(shown?.violations, row).map((text) => html`<p class="said bad">${text}</p>`)}
            ${findingsOf(shown?.violations_before, row).map((text) => html`<p class="said">${t("approval.broken_before", { message: text })}</p>`)}
          </td>`
          }
        </tr>`;
      })}</tbody>
    </table><//>
    ${trouble ? html`${refusedBy ? html`<p class="problem" role="alert">${t("approval.edit_refused", { message: trouble.message })}</p><ul>${otherFindings(refusedBy, rows).map((text) => html`<li>${text}</li>`)}</ul>` : html`<${Problem} error=${trouble} />`}` : null}
    ${
      mayEdit
        ? html`<div class="row">
      ${
        isEditing
          ? html`<button type="button" class="primary" aria-disabled=${String(isBusy || changed.length === 0)} onClick=${() => !isBusy && changed.length > 0 && save()}>${t("approval.edit_send", { n: changed.length })}</button>
        <button type="button" onClick=${() => {
          setEditing(false);
          setEdits({});
          setTrouble(undefined);
        }}>${t("approval.edit_stop")}</button>`
          : html`<button type="button" onClick=${() => setEditing(true)}>${t("approval.edit")}</button>`
      }<span class="hint">${t("approval.edit_hint")}</span></div>`
        : null
    }
    <details><summary>${t("approval.raw")}</summary><pre tabindex="0"><code>${JSON.stringify(proposal, null, 2)}</code></pre></details>
  </section>`;
}

/** A field for the value that an edit sets, by its schema. @param {{rule: any, row: any, value: any, name: string, onChange: (to: unknown) => void}} props */
function Field({ rule, row, value, name, onChange }) {
  const { type, options, min, max } = fieldOf(rule, row);
  if (type === "select")
    return html`<select aria-label=${name} onChange=${(/** @type {any} */ event) => onChange(options?.[event.target.selectedIndex])}>${options?.map((one) => html`<option selected=${one === value}>${String(one)}</option>`)}</select>`;
  if (type === "checkbox")
    return html`<input type="checkbox" aria-label=${name} checked=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} />`;
  if (type === "json")
    return html`<input class="cell" type="text" aria-label=${name} defaultValue=${row.value === undefined ? "" : JSON.stringify(row.value)} onInput=${(/** @type {any} */ event) => onChange(readJson(event.target.value))} />`;
  const read = (/** @type {any} */ { target }) =>
    onChange(
      type === "number"
        ? Number.isNaN(target.valueAsNumber)
          ? undefined
          : target.valueAsNumber
        : target.value,
    );
  return html`<input class="cell" type=${type} aria-label=${name} value=${value} min=${min} max=${max} step="any" onInput=${read} />`;
}

/** What is no JSON stays text, which the tool's schema then refuses. @param {string} text */
function readJson(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the flow shows beside the proposal. @param {{shown: any, rule: any}} props */
function Evidence({ shown, rule }) {
  if (typeof shown !== "object" || shown === null) return null;
  const inTable = new Set(rule ? ["before", "violations", "violations_before"] : []);
  const rest = Object.entries(shown).filter(([name, value]) => !inTable.has(name) && !isNothing(value));
  if (rest.length === 0) return null;
  return html`<section class="panel evidence"><h2>${t("approval.evidence")}</h2>${rest.map(
    ([name, value]) =>
      html`<h3>${wordsOf(name)}</h3><${Scroll} label=${wordsOf(name)}><${Value} value=${value} /><//>`,
  )}</section>`;
}

/** Whether somebody's roles may decide it; whether they may approve it, four eyes say as well. @param {any} approval @param {any} me */
function isDecider(approval, me) {
  if (approval.may_approve) return true;
  return (
    Boolean(me?.may.decide_approvals) &&
    (approval.deciding_roles.length === 0 ||
      approval.deciding_roles.some((/** @type {string} */ role) => me.roles.includes(role)))
  );
}

/** @param {{approval: any, seen: any, me: any, reload: () => Promise<void>, onNew: (approval: any) => void}} props */
function Decision({ approval, seen, me, reload, onNew }) {
  const [note, setNote] = useState("");
  const [told, setTold] = useState("");
  const [trouble, setTrouble] = useState(/** @type {unknown} */ (undefined));
  const [isBusy, setBusy] = useState(false);
  // The same decision sent again, after a new sign-in, is the same decision.
  const key = useRef({ of: "", key: "" });
  const { winner } = approval;
  if (winner)
    return html`<section class="panel" role="status"><p><strong>${t("approval.decided", {
      decision: t(`state.${winner.decision}`),
      by: winner.by,
      when: new Date(winner.at).toLocaleString(),
    })}</strong></p>${winner.note ? html`<p>${t("approval.decided_note", { note: winner.note })}</p>` : null}</section>`;
  if (!me || me.issuer === "local")
    return html`<section class="panel"><p>${t("approval.sign_in")}</p><p class="row"><a class="button primary" href=${signInAddress()}>${t("who.sign_in")}</a></p></section>`;
  if (!isDecider(approval, me))
    return html`<section class="panel"><p>${t("approval.not_yours", { roles: me.roles.join(", "), deciders: approval.deciding_roles.join(", ") || t("approval.anyone") })}</p></section>`;

  /** @param {"approve" | "reject"} decision */
  async function decide(decision) {
    setBusy(true);
    setTold("");
    setTrouble(undefined);
    try {
      const now = await getJson(`/api/v1/approvals/${approval.id}`);
      const stale = staleness(now, seen.proposal_hash);
      if (stale) {
        setTold(stale);
        if (now.state === "pending") onNew(now);
        await reload();
      } else {
        const body = { decision, proposal_hash: seen.proposal_hash, ...(note ? { note } : {}) };
        const of = JSON.stringify(body);
        if (key.current.of !== of) key.current = { of, key: newKey() };
        await postJson(`/api/v1/approvals/${approval.id}/decision`, body, {
          headers: { "idempotency-key": key.current.key },
        });
        await reload();
      }
    } catch (failure) {
      setTrouble(failure);
      if (failure instanceof Refused && failure.status === 409) await reload();
    }
    setBusy(false);
  }

  return html`<form class="panel decide" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    ${approval.may_approve ? html`<p class="hint">${t("approval.as_shown", { hash: seen.proposal_hash.slice(0, 16) })}</p>` : html`<p>${t("approval.own")}</p>`}
    <label for="note">${t("approvals.comment")}</label>
    <textarea id="note" rows="3" maxlength="2000" value=${note} onInput=${(/** @type {any} */ event) => setNote(event.target.value)} />
    <div class="row">
      ${approval.may_approve ? html`<button type="button" class="primary" aria-disabled=${String(isBusy)} onClick=${() => !isBusy && decide("approve")}>${t("approval.approve")}</button>` : null}
      <button type="button" class="danger" aria-disabled=${String(isBusy)} onClick=${() => !isBusy && decide("reject")}>${t("approval.reject")}</button>
    </div>
    ${told ? html`<p class="note" role="alert">${told}</p>` : null}
    ${trouble && !(trouble instanceof Refused) ? html`<p class="problem" role="alert">${t("approval.unsure")}</p>` : html`<${Problem} error=${trouble} />`}
  </form>`;
}

/** @param {{id: string, state: string}} props */
function Log({ id, state }) {
  const { data } = useLoad(
    (background) => getJson(`/api/v1/approvals/${id}/audit`, { background }),
    [id, state],
  );
  if (!data || data.entries.length === 0) return null;
  return html`<section class="panel"><h2>${t("approval.log")}</h2><ol class="log">${data.entries.map(
    (/** @type {any} */ one) =>
      html`<li key=${one.id}><strong>${wordsOf(one.action)}</strong> <span class="long">${one.by}</span>, <${Moment} at=${one.at} seconds /> ${one.note ? html`<p>${one.note}</p>` : null}</li>`,
  )}</ol></section>`;
}
