/** One run: its steps on an axis of time, live while it runs, and its log. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { getJson, Refused, request, runEvents } from "./api.js";
import {
  download,
  duration,
  html,
  Moment,
  Problem,
  Scroll,
  State,
  shortId,
  useLoad,
  wordsOf,
} from "./parts.js";
import { t } from "./texts.js";
import { timelineOf } from "./timeline.js";

const LOOK_MS = 5_000;
/** Events gather for so long before they are shown together: a run may have tens of thousands. */
const GATHER_MS = 150;
const MOST_SHOWN = 1_000;
/** Where a run goes on when a person has decided: its state is another one. */
const WAITS = new Set(["run_paused", "run_parked"]);

/** @param {{id: string}} props */
export function Run({ id }) {
  const path = `/api/v1/runs/${id}`;
  const {
    data: run,
    error,
    reload,
  } = useLoad((background) => getJson(path, { background }), [path], LOOK_MS);
  const { events, trouble, isGone } = useEvents(id, run !== undefined, reload);
  const [isListed, setListed] = useState(location.hash === "#events");
  const now = useNow(run && !run.finished_at && run.state !== "paused");
  const timeline = useMemo(() => timelineOf(events, now), [events, now]);
  const [failure, setFailure] = useState(/** @type {unknown} */ (undefined));

  async function cancel() {
    if (!confirm(t("run.cancel_sure"))) return;
    try {
      await request(`${path}/cancel`, { method: "POST" });
    } catch (refused) {
      setFailure(refused);
    }
    await reload();
  }
  if (!run)
    return html`<h1>${t("runs.title")}</h1>${error ? html`<${Problem} error=${error} />` : html`<p role="status">${t("looking")}</p>`}`;
  const isOver = run.finished_at !== undefined;
  const answer = run.result?.message;
  return html`<p class="crumb"><a href="/console/runs">${t("runs.title")}</a></p>
    <h1>${run.asked ?? t("run.title", { id: shortId(id) })}</h1>
    <p class="lead"><${State} state=${run.state} />${timeline.live && !isOver ? html` <span class="tag">${t("run.live")}</span>` : null} · <code class="id">${id}</code></p>
    <${Problem} error=${failure ?? error} />
    ${run.result?.error ? html`<p class="problem">${run.result.error} <code>${run.result.code}</code></p>` : null}
    <div class="split">
      <div>
        <section class="panel"><h2>${t("run.timeline")}</h2>
          ${isGone ? html`<p class="note">${t("run.gone")}</p>` : html`<${Bars} timeline=${timeline} />`}
          <${Problem} error=${trouble} />
          <details><summary>${t("run.table")}</summary><${LaneTable} timeline=${timeline} /></details>
        </section>
        ${answer ? html`<section class="panel answer"><h2>${t("run.answer")}</h2><p>${answer}</p></section>` : null}
        <section class="panel"><h2>${t("run.events")}</h2>
          ${isListed ? html`<${Events} events=${events} />` : html`<button type="button" onClick=${() => setListed(true)}>${t("run.show_events", { n: events.length })}</button>`}
        </section>
      </div>
      <aside>
        <div class="panel row">
          ${isOver ? null : html`<button type="button" class="danger" onClick=${() => void cancel()}>${t("run.cancel")}</button>`}
          <button type="button" onClick=${() => download(`run-${id}.jsonl`, "application/jsonl", [events.map((one) => `${JSON.stringify(one)}\n`).join("")])}>${t("run.log")}</button>
        </div>
        <dl class="pairs panel">
          <div><dt>${t("runs.subject")}</dt><dd>${run.subject}</dd></div>
          <div><dt>${t("runs.begun")}</dt><dd><${Moment} at=${run.created_at} seconds /></dd></div>
          ${isOver ? html`<div><dt>${t("runs.took")}</dt><dd>${duration(Date.parse(run.finished_at) - Date.parse(run.created_at))}</dd></div>` : null}
          ${run.flow ? html`<div><dt>${t("runs.flow")}</dt><dd>${run.flow}: ${run.goals.join(", ")}</dd></div>` : null}
          ${run.service ? html`<div><dt>${t("runs.service")}</dt><dd>${run.service}</dd></div>` : null}
          <div><dt>${t("run.session")}</dt><dd><a href=${`/console/conversations/${run.session_id}`}>${shortId(run.session_id)}</a></dd></div>
          ${run.trace_id ? html`<div><dt>${t("run.trace")}</dt><dd><code class="id">${run.trace_id}</code></dd></div>` : null}
          ${run.approval_id ? html`<div><dt>${t("run.approval")}</dt><dd><a href=${`/console/approvals/${run.approval_id}`}>${shortId(run.approval_id)}</a></dd></div>` : null}
        </dl>
      </aside>
    </div>`;
}

/**
 * The run's events so far, and those that come.
 * @param {string} id @param {boolean} isKnown whether there is such a run @param {() => Promise<void>} onRest when it ends, or comes to wait
 */
function useEvents(id, isKnown, onRest) {
  const [events, setEvents] = useState(/** @type {any[]} */ ([]));
  const [trouble, setTrouble] = useState(/** @type {unknown} */ (undefined));
  const [isGone, setGone] = useState(false);
  const all = useRef(/** @type {any[]} */ ([]));
  useEffect(() => {
    if (!isKnown) return;
    const leaving = new AbortController();
    let timer = 0;
    const show = () => {
      timer = 0;
      setEvents([...all.current]);
    };
    const read = async () => {
      for await (const event of runEvents(id, all.current.at(-1)?.seq ?? 0, leaving.signal)) {
        if (event.type === undefined) setGone(true);
        else all.current.push(event);
        timer ||= window.setTimeout(show, GATHER_MS);
        if (WAITS.has(event.type)) void onRest();
      }
      if (!leaving.signal.aborted) void onRest();
    };
    read().catch((error) => {
      if (!leaving.signal.aborted && !(error instanceof Refused && error.status === 404)) setTrouble(error);
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
      show();
    };
  }, [id, isKnown]);
  return { events, trouble, isGone };
}

/** The time, as often as something moves. @param {boolean | undefined} moves */
function useNow(moves) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!moves) return setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [moves]);
  return now;
}

/** @param {{timeline: import("./timeline.js").Timeline}} props */
function Bars({ timeline }) {
  const { lanes, begun, seen, over } = timeline;
  // Of a run that waits for a person the wait would hide the work: it is drawn as long as the work.
  const waits = lanes.some(({ bars }) => bars.some((bar) => bar.tone === "warn" && bar.to === undefined));
  const lastWork = Math.max(begun, ...lanes.flatMap(({ bars }) => bars.map((bar) => bar.to ?? bar.from)));
  const end = waits && !over ? lastWork + (lastWork - begun || 1_000) * 0.5 : seen;
  const whole = Math.max(1, end - begun);
  const place = (/** @type {number} */ at) => Math.min(100, Math.max(0, ((at - begun) / whole) * 100));
  return html`<div class="axis" aria-hidden="true"><span>0</span><span>${duration(whole / 2)}</span><span>${duration(whole)}</span></div>
    <ol class="timeline" aria-label=${t("run.timeline")}>${lanes.map(({ id, by, bars, outcome }) => {
      const from = bars[0]?.from;
      const to = bars.at(-1)?.to;
      const took = from !== undefined && to !== undefined ? duration(to - from) : "";
      return html`<li key=${id}>
        <span class="name"><strong>${wordsOf(id)}</strong><small>${by}${outcome && outcome !== "ok" ? ` · ${wordsOf(outcome)}` : ""}</small></span>
        <span class="lane" aria-hidden="true">${bars.map((bar) => {
          const left = place(bar.from);
          const width = place(bar.to ?? end) - left;
          return html`<span class="bar ${bar.tone}" title=${`${bar.label} ${duration((bar.to ?? seen) - bar.from)}`} style=${{ left: `${left}%`, width: `${width}%` }}></span>`;
        })}</span>
        <span class="took">${took || (bars.at(-1)?.tone === "warn" ? t("run.waits") : bars.length > 0 ? "…" : "")}</span>
      </li>`;
    })}</ol>`;
}

/** The same for those who cannot see it. @param {{timeline: import("./timeline.js").Timeline}} props */
function LaneTable({ timeline: { lanes, begun } }) {
  return html`<${Scroll} label=${t("run.table")}><table class="data"><thead><tr>
      <th scope="col">${t("run.step")}</th><th scope="col">${t("run.outcome")}</th><th scope="col" class="num">${t("run.start")}</th><th scope="col" class="num">${t("run.duration")}</th>
    </tr></thead><tbody>${lanes.flatMap(({ id, bars, outcome }) =>
      bars.map(
        (
          bar,
        ) => html`<tr><th scope="row">${wordsOf(id)} ${bar.label}</th><td>${bar.tone === "warn" ? t("run.waits") : outcome}</td>
        <td class="num">${duration(bar.from - begun)}</td><td class="num">${bar.to === undefined ? "…" : duration(bar.to - bar.from)}</td></tr>`,
      ),
    )}</tbody></table><//>`;
}

/** @param {{events: any[]}} props */
function Events({ events }) {
  // The clock of a live run moves its bars, not its events.
  return useMemo(
    () =>
      html`<ol class="events" tabindex="0" aria-label=${t("run.events")}>${events.slice(-MOST_SHOWN).map(
        (
          one,
        ) => html`<li key=${one.seq}><span class="muted">${one.seq}</span><${Moment} at=${one.at} seconds /><strong>${wordsOf(one.type)}</strong>
      <span>${one.node ? html`<span class="tag">${one.node}</span> ` : null}<code>${JSON.stringify(one.data ?? {}).slice(0, 600)}</code></span></li>`,
      )}</ol>`,
    [events],
  );
}
