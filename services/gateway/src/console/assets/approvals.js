/** The approver's inbox. */
import { useState } from "preact/hooks";
import { getJson, newKey, postJson, queryOf, Refused, whoAmI } from "./api.js";
import { Empty, fromNow, html, Moment, Problem, Scroll, State, useLoad, wordsOf } from "./parts.js";
import { t } from "./texts.js";

const LOOK_MS = 5_000;
const PAGE = 100;

export function Approvals() {
  const query = new URLSearchParams(location.search);
  const [state, setState] = useState(query.get("state") === "all" ? "all" : "pending");
  const [cursor, setCursor] = useState("");
  const [chosen, setChosen] = useState(/** @type {Record<string, string>} */ ({}));
  const [note, setNote] = useState("");
  const [outcomes, setOutcomes] = useState(/** @type {Record<string, any>} */ ({}));
  const [trouble, setTrouble] = useState(/** @type {unknown} */ (undefined));
  const [isBusy, setBusy] = useState(false);
  const path = `/api/v1/approvals${queryOf({ state, limit: PAGE, cursor })}`;
  const { data, error, reload } = useLoad((background) => getJson(path, { background }), [path], LOOK_MS);
  const me = useLoad(whoAmI, []).data;

  const rows = data?.approvals ?? [];
  const decidable = rows.filter((one) => one.may_approve);
  // One that was decided meanwhile is in the list no more, and is told of when it comes to be decided.
  const ids = Object.keys(chosen);
  const isAll = decidable.length > 0 && decidable.every((one) => one.id in chosen);

  /** @param {any} one */
  const toggle = ({ id, proposal_hash }) =>
    setChosen(({ [id]: known, ...others }) => (known ? others : { ...others, [id]: proposal_hash }));

  /** @param {"approve" | "reject"} decision */
  async function decide(decision) {
    setBusy(true);
    setTrouble(undefined);
    try {
      // What changed, expired or was decided since it was chosen is told of, and not sent.
      const now = await getJson(path);
      const told = /** @type {Record<string, any>} */ ({});
      const known = new Map(now.approvals.map((/** @type {any} */ one) => [one.id, one]));
      const latest = await Promise.all(ids.map((id) => known.get(id) ?? found(id)));
      const decisions = ids.flatMap((id, at) => {
        const stale = staleness(latest[at], chosen[id] ?? "");
        if (stale) told[id] = { stale };
        return stale
          ? []
          : [{ approval_id: id, decision, proposal_hash: chosen[id], ...(note ? { note } : {}) }];
      });
      if (decisions.length > 0) {
        const headers = { "idempotency-key": newKey() };
        const answer = await postJson("/api/v1/approvals/decisions", { decisions }, { headers });
        for (const one of answer.outcomes) told[one.approval_id] = one;
      }
      setOutcomes((before) => ({ ...before, ...told }));
      setChosen({});
      setNote("");
      await reload();
    } catch (failure) {
      setTrouble(failure);
    }
    setBusy(false);
  }

  /** What is chosen is of the page that is seen. @param {string} to */
  function turn(to) {
    setCursor(to);
    setChosen({});
  }

  /** @param {"pending" | "all"} to */
  function show(to) {
    setState(to);
    turn("");
    history.replaceState(null, "", `/console/approvals${queryOf({ state: to === "all" ? to : "" })}`);
  }

  // What was decided here stays in sight, though it is pending no more.
  const gone = Object.keys(outcomes).filter((id) => !rows.some((one) => one.id === id));
  return html`<h1>${t("approvals.title")}</h1>
    <p class="lead">${t("approvals.lead")}</p>
    ${me?.issuer === "local" ? html`<p class="note">${t("approvals.nobody")}</p>` : null}
    <div class="tabs" role="group" aria-label=${t("approvals.state")}>
      ${["pending", "all"].map(
        (one) =>
          html`<button type="button" aria-pressed=${String(state === one)} onClick=${() => show(/** @type {any} */ (one))}>${t(`approvals.${one}`)}</button>`,
      )}
    </div>
    <${Problem} error=${error} />
    ${data?.note ? html`<p class="note">${data.note}</p>` : null}
    ${data && rows.length === 0 ? html`<${Empty} title=${t(state === "all" ? "approvals.none_all" : "approvals.none")}><p>${t("approvals.none_hint")}</p><//>` : null}
    ${gone.length > 0 ? html`<ul class="outcomes" role="status">${gone.map((id) => html`<li key=${id}><a href=${`/console/approvals/${id}`}>${id.slice(0, 8)}…</a> <${Outcome} outcome=${outcomes[id]} /></li>`)}</ul>` : null}
    ${
      rows.length === 0
        ? null
        : html`<${Scroll} label=${t("approvals.title")} list><table class="list">
      <thead><tr>
        <th scope="col" class="pick" data-label=${t("approvals.select_all")}>${
          decidable.length > 0
            ? html`<input type="checkbox" aria-label=${t("approvals.select_all")} checked=${isAll}
          onChange=${() => setChosen(isAll ? {} : Object.fromEntries(decidable.map((one) => [one.id, one.proposal_hash])))} />`
            : html`<span class="visually-hidden">${t("approvals.selected", { n: 0 })}</span>`
        }</th>
        <th scope="col">${t("approvals.what")}</th><th scope="col">${t("approvals.by")}</th>
        <th scope="col">${t("approvals.asked")}</th><th scope="col">${t("approvals.deadline")}</th><th scope="col">${t("approvals.state")}</th>
      </tr></thead>
      <tbody>${rows.map((one) => html`<${ApprovalRow} key=${one.id} one=${one} me=${me} chosen=${one.id in chosen} outcome=${outcomes[one.id]} onToggle=${() => toggle(one)} />`)}</tbody>
    </table><//>`
    }
    ${data?.next ? html`<p class="row"><button type="button" onClick=${() => turn(data.next)}>${t("more.next")}</button></p>` : null}
    ${cursor ? html`<p class="row"><button type="button" onClick=${() => turn("")}>${t("more.first")}</button></p>` : null}
    ${
      ids.length > 0
        ? html`<form class="panel decide sticky" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <p><strong>${t("approvals.selected", { n: ids.length })}</strong></p>
      <label for="note">${t("approvals.comment")}</label>
      <textarea id="note" maxlength="2000" rows="2" value=${note} onInput=${(/** @type {any} */ event) => setNote(event.target.value)} />
      <div class="row">
        <button type="button" class="primary" aria-disabled=${String(isBusy)} onClick=${() => !isBusy && decide("approve")}>${t("approvals.approve_n", { n: ids.length })}</button>
        <button type="button" class="danger" aria-disabled=${String(isBusy)} onClick=${() => !isBusy && decide("reject")}>${t("approvals.reject_n", { n: ids.length })}</button>
      </div>
      <${Problem} error=${trouble} />
    </form>`
        : html`<${Problem} error=${trouble} />`
    }`;
}

/** @param {{one: any, me: any, chosen: boolean, outcome: any, onToggle: () => void}} props */
function ApprovalRow({ one, me, chosen, outcome, onToggle }) {
  const name = t("approval.title", { step: wordsOf(one.step), flow: wordsOf(one.flow) });
  const isOwn = one.four_eyes && me && (one.requested_by === me.subject || one.editors.includes(me.subject));
  return html`<tr>
    <td class="pick">${one.may_approve ? html`<input type="checkbox" aria-label=${t("approvals.select", { name: `${name} ${one.id.slice(0, 8)}` })} checked=${chosen} onChange=${onToggle} />` : null}</td>
    <th scope="row"><a href=${`/console/approvals/${one.id}`}>${name}</a> <code class="id">${one.id.slice(0, 8)}</code>
      ${one.sample ? html`<span class="tag">${t("approval.sample")}</span>` : null}
      ${isOwn && one.state === "pending" ? html`<p class="hint">${t("approval.own")}</p>` : null}
      ${outcome ? html`<p role="status"><${Outcome} outcome=${outcome} /></p>` : null}</th>
    <td class="long" data-label=${t("approvals.by")}>${one.requested_by}</td>
    <td data-label=${t("approvals.asked")}><${Moment} at=${one.created_at} /></td>
    <td data-label=${t("approvals.deadline")}>${one.state === "pending" ? html`<time datetime=${one.expires_at} title=${new Date(one.expires_at).toLocaleString()}>${fromNow(one.expires_at)}</time>` : "–"}</td>
    <td data-label=${t("approvals.state")}><${State} state=${one.state} /></td>
  </tr>`;
}

/** What one decision came to. @param {{outcome: any}} props */
function Outcome({ outcome }) {
  const { decided, refused, stale } = outcome;
  if (decided) return html`<${State} state=${decided.decision} />`;
  if (stale) return html`<span class="said warn">${stale}</span>`;
  return html`<span class="said bad">${refused?.error} <code>${refused?.code}</code></span>`;
}

/** An approval that the list does not have. @param {string} id @returns {Promise<any>} undefined where there is none */
async function found(id) {
  try {
    return await getJson(`/api/v1/approvals/${id}`);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Why a decision on what was seen would come too late; undefined where it would not.
 * @param {any} now the approval as it is now @param {string} seenHash
 */
export function staleness(now, seenHash) {
  const { winner, state } = now ?? {};
  if (winner)
    return t("approval.decided", {
      decision: t(`state.${winner.decision}`),
      by: winner.by,
      when: new Date(winner.at).toLocaleString(),
    });
  if (now && state === "pending" && Date.parse(now.expires_at) > Date.now())
    return now.proposal_hash === seenHash ? undefined : t("approval.changed");
  return t("approval.expired");
}
