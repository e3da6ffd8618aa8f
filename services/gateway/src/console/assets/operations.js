/** How the mesh is, for those who operate it. */
import { useState } from "preact/hooks";
import { getJson, postJson, queryOf, Refused } from "./api.js";
import {
  duration,
  html,
  Moment,
  numberText,
  Problem,
  Scroll,
  State,
  shortId,
  useLoad,
  wordsOf,
} from "./parts.js";
import { t } from "./texts.js";

const LOOK_MS = 5_000;
const STATES = ["running", "queued", "paused", "needs_review", "failed", "cancelled"];
const DAY_MS = 86_400_000;
const COUNTED = 200;

export function Operations() {
  return html`<h1>${t("ops.title")}</h1><p class="lead">${t("ops.lead")}</p>
    <${States} /><${Agents} /><${Deliveries} /><${Usage} /><${Security} />`;
}

/** How many runs are in a state; beyond a page it is that many or more. */
function States() {
  const { data, error } = useLoad(
    async (background) =>
      await Promise.all(
        STATES.map(async (state) => {
          const page = await getJson(`/api/v1/runs${queryOf({ state, limit: COUNTED })}`, { background });
          return { state, count: `${page.runs.length}${page.next ? "+" : ""}` };
        }),
      ),
    [],
    LOOK_MS,
  );
  return html`<section class="panel"><h2>${t("ops.queues")}</h2><${Problem} error=${error} />
    <ul class="grid">${data?.map(({ state, count }) => html`<li key=${state}><a href=${`/console/runs?state=${state}`}><strong>${count}</strong>${t(`state.${state}`)}</a></li>`)}</ul></section>`;
}

function Agents() {
  const { data, error } = useLoad((background) => getJson("/api/v1/agents", { background }), [], LOOK_MS);
  return html`<section class="panel"><h2>${t("ops.agents")}</h2><${Problem} error=${error} />
    <${Scroll} label=${t("ops.agents")}><table class="list"><thead><tr>
      <th scope="col">${t("ops.agent")}</th><th scope="col">${t("ops.status")}</th><th scope="col">${t("ops.breaker")}</th>
      <th scope="col" class="num">${t("ops.running")}</th><th scope="col" class="num">${t("ops.limit")}</th><th scope="col" class="num">${t("ops.waiting")}</th><th scope="col" class="num">${t("ops.oldest")}</th>
      <th scope="col" class="num">${t("ops.latency")}</th>
    </tr></thead><tbody>${data?.agents.map(
      (/** @type {any} */ { name, status, reason, breaker, since, load }) => html`<tr key=${name}>
        <th scope="row" class="long"><a href=${`/console/runs?agent=${encodeURIComponent(name)}`}>${name}</a></th>
        <td data-label=${t("ops.status")}><${State} state=${status} text=${wordsOf(status)} /> ${reason ? wordsOf(reason) : ""} ${since ? html`<span class="muted"><${Moment} at=${since} /></span>` : null}</td>
        <td data-label=${t("ops.breaker")}>${wordsOf(breaker)}</td>
        <td class="num" data-label=${t("ops.running")}>${load?.running ?? "–"}</td><td class="num" data-label=${t("ops.limit")}>${load?.limit ?? "–"}</td><td class="num" data-label=${t("ops.waiting")}>${load?.waiting ?? "–"}</td><td class="num" data-label=${t("ops.oldest")}>${load?.waiting ? duration(load.oldest_ms) : "–"}</td>
        <td class="num" data-label=${t("ops.latency")}>${load?.latency_ms === undefined ? "–" : duration(load.latency_ms)}</td>
      </tr>`,
    )}</tbody></table><//></section>`;
}

function Usage() {
  const from = new Date(Date.now() - 6 * DAY_MS).toISOString().slice(0, 10);
  const { data, error } = useLoad(
    (background) => getJson(`/api/v1/usage?from=${from}`, { background }),
    [],
    3 * LOOK_MS,
  );
  const groups = data?.groups ?? [];
  return html`<section class="panel"><h2>${t("ops.usage")}</h2><${Problem} error=${error} />
    ${
      groups.length === 0
        ? html`<p class="muted">${t("ops.no_usage")}</p>`
        : html`<${Scroll} label=${t("ops.usage")}><table class="list"><thead><tr>
      <th scope="col">${t("ops.model")}</th>${["calls", "failed", "tokens_in", "tokens_out", "cost"].map((name) => html`<th scope="col" class="num">${t(`ops.${name}`)}</th>`)}
    </tr></thead><tbody>${groups.map(
      (/** @type {any} */ one) =>
        html`<tr key=${one.key}><th scope="row" class="long">${one.key}</th><td class="num" data-label=${t("ops.calls")}>${numberText(one.calls)}</td><td class="num" data-label=${t("ops.failed")}>${numberText(one.failed)}</td><td class="num" data-label=${t("ops.tokens_in")}>${numberText(one.input_tokens)}</td><td class="num" data-label=${t("ops.tokens_out")}>${numberText(one.output_tokens)}</td><td class="num" data-label=${t("ops.cost")}>${one.cost_usd.toFixed(2)}</td></tr>`,
    )}</tbody></table><//>`
    }</section>`;
}

/** What receivers of webhooks have not taken. Nothing at all where there is nothing to say. */
function Deliveries() {
  const { data, error, reload } = useLoad(
    (background) => getJson("/api/v1/admin/webhooks", { background }),
    [],
    LOOK_MS,
  );
  const [problem, setProblem] = useState(/** @type {unknown} */ (undefined));
  const isHidden = error instanceof Refused && error.status === 403;
  const deliveries = data?.deliveries ?? [];
  const again = async (/** @type {string} */ id) => {
    setProblem(undefined);
    await postJson(`/api/v1/admin/webhooks/${id}/redeliver`, {}).catch(setProblem);
    await reload();
  };
  return html`<section class="panel"><h2>${t("ops.webhooks")}</h2>
    ${isHidden ? html`<p class="muted">${t("ops.hidden")}</p>` : html`<${Problem} error=${problem ?? error} />`}
    ${data && deliveries.length === 0 ? html`<p class="muted">${t("ops.no_webhooks")}</p>` : null}
    ${
      deliveries.length > 0
        ? html`<${Scroll} label=${t("ops.webhooks")}><table class="list"><thead><tr>
      <th scope="col">${t("ops.when")}</th><th scope="col">${t("ops.receiver")}</th><th scope="col">${t("ops.notice")}</th><th scope="col">${t("ops.on")}</th>
      <th scope="col">${t("ops.status")}</th><th scope="col" class="num">${t("ops.tries")}</th><th scope="col">${t("ops.code")}</th><th scope="col"></th>
    </tr></thead><tbody>${deliveries.map(
      (
        /** @type {any} */ one,
      ) => html`<tr key=${one.id}><td data-label=${t("ops.when")}><${Moment} at=${one.at} seconds /></td>
        <th scope="row" class="long">${one.webhook}</th><td data-label=${t("ops.notice")}>${one.type}</td><td class="long" data-label=${t("ops.on")}><${About} ...${one} /></td>
        <td data-label=${t("ops.status")}><${State} state=${one.state === "dead" ? "failed" : "pending"} text=${t(`ops.${one.state === "failed" ? "retried" : one.state}`)} /></td>
        <td class="num" data-label=${t("ops.tries")}>${numberText(one.attempts)}</td><td data-label=${t("ops.code")}>${one.code ? html`<code>${one.code}</code>` : ""}</td>
        <td>${one.state === "pending" ? null : html`<button type="button" aria-label=${t("ops.again_for", { webhook: one.webhook, type: one.type })} onClick=${() => again(one.id)}>${t("ops.again")}</button>`}</td></tr>`,
    )}</tbody></table><//>`
        : null
    }
    ${data?.next ? html`<p class="muted">${t("ops.more_webhooks")}</p>` : null}</section>`;
}

/** What a notice is about. @param {{approval_id?: string, run_id: string}} props */
function About({ approval_id: approval, run_id: run }) {
  return approval
    ? html`<a href=${`/console/approvals/${approval}`}>${shortId(approval)}</a>`
    : html`<a href=${`/console/runs/${run}`}>${shortId(run)}</a>`;
}

/** What was refused, and who looked at what is somebody else's. */
function Security() {
  const { data, error } = useLoad(
    (background) => getJson("/api/v1/admin/audit?limit=50", { background }),
    [],
    2 * LOOK_MS,
  );
  const isHidden = error instanceof Refused && error.status === 403;
  return html`<section class="panel"><h2>${t("ops.security")}</h2>
    ${isHidden ? html`<p class="muted">${t("ops.hidden")}</p>` : html`<${Problem} error=${error} />`}
    ${data && data.entries.length === 0 ? html`<p class="muted">${t("ops.no_security")}</p>` : null}
    ${
      data && data.entries.length > 0
        ? html`<${Scroll} label=${t("ops.security")}><table class="list"><thead><tr>
      <th scope="col">${t("ops.when")}</th><th scope="col">${t("ops.act")}</th><th scope="col">${t("ops.who")}</th><th scope="col">${t("ops.on")}</th><th scope="col">${t("ops.code")}</th><th scope="col" class="num">${t("ops.count")}</th>
    </tr></thead><tbody>${data.entries.map(
      (
        /** @type {any} */ { id, entry },
      ) => html`<tr key=${id}><td data-label=${t("ops.when")}><${Moment} at=${entry.at} seconds /></td><td data-label=${t("ops.act")}>${wordsOf(entry.act ?? entry.action ?? "")}</td><td class="long" data-label=${t("ops.who")}>${entry.by ?? entry.from ?? "–"}</td>
        <td class="long" data-label=${t("ops.on")}>${entry.resource ?? (entry.approval ? html`<a href=${`/console/approvals/${entry.approval}`}>${entry.approval.slice(0, 8)}…</a>` : "–")}</td><td data-label=${t("ops.code")}>${entry.code ? html`<code>${entry.code}</code>` : ""}</td><td class="num" data-label=${t("ops.count")}>${entry.count ?? 1}</td></tr>`,
    )}</tbody></table><//>`
        : null
    }</section>`;
}
