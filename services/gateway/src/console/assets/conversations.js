/** Conversations: those that there were, and the one that is held. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, getJson, goneOn, newKey, Refused, request } from "./api.js";
import { messageParts, TextTable } from "./message.js";
import { Empty, fromNow, html, Problem, Scroll, State, shortId, useLoad, wordsOf } from "./parts.js";
import { ChooseTable, ReadTable, useTable } from "./table.js";
import { language, t } from "./texts.js";

const LOOK_MS = 15_000;

/** @param {{id?: string}} props */
export function Conversations({ id }) {
  const { data, error, reload } = useLoad(
    (background) => getJson("/api/v1/sessions?limit=50", { background }),
    [],
    LOOK_MS,
  );
  const sessions = data?.sessions ?? [];
  const [fresh] = useState(() => `console-${newKey()}`);
  const session = id ?? fresh;
  return html`<h1>${t("talks.title")}</h1>
    <${Problem} error=${error} />
    <div class="talk">
      <nav aria-label=${t("talks.title")}>
        <a class="button" href="/console/conversations">${t("talks.new")}</a>
        ${data && sessions.length === 0 ? html`<p class="hint">${t("talks.none")}</p>` : null}
        <ul>${sessions.map((/** @type {any} */ one) => html`<li key=${one.session_id}><a href=${`/console/conversations/${one.session_id}`} aria-current=${one.session_id === session ? "page" : undefined}><span>${one.title || one.session_id}</span><small>${fromNow(one.updated_at)}</small></a></li>`)}</ul>
      </nav>
      <${Talk} key=${session} session=${session} isNew=${id === undefined} onTurn=${reload} />
    </div>`;
}

/** @param {{session: string, isNew: boolean, onTurn: () => Promise<void>}} props */
function Talk({ session, isNew, onTurn }) {
  const path = `/api/v1/sessions/${session}`;
  const [exists, setExists] = useState(!isNew);
  const { data, error, reload } = useLoad(
    (background) => (exists ? getJson(path, { background }) : Promise.resolve(undefined)),
    [path, exists],
  );
  const [turn, setTurn] = useState(/** @type {any} */ (undefined));
  const [text, setText] = useState("");
  const [trouble, setTrouble] = useState(/** @type {unknown} */ (undefined));
  const end = useRef(/** @type {HTMLElement | null} */ (null));
  const { table, inputs, isHeld, read, take } = useTable();
  const isBusy = turn !== undefined && !turn.over;
  const turns = data?.turns ?? [];

  useEffect(() => end.current?.scrollIntoView({ block: "end" }), [turns.length, turn?.over]);

  /** @param {string} message */
  async function send(message) {
    if (isBusy || isHeld || message.trim() === "") return;
    setTrouble(undefined);
    setText("");
    let now = /** @type {any} */ ({ message, text: "", steps: {}, over: false });
    const show = (/** @type {any} */ more) => {
      now = { ...now, ...more };
      setTurn(now);
    };
    show({});
    try {
      for await (const event of ask(message, session, inputs)) show(changeBy(now, event));
      if (now.last?.status === "paused") void follow(now.run, now.last.seq);
    } catch (failure) {
      setTrouble(failure);
      if (failure instanceof Refused && !now.run) setText(message);
    }
    show({ over: true });
    // The address of a conversation is one that can be sent.
    if (isNew && !exists) history.replaceState(null, "", `/console/conversations/${session}`);
    setExists(true);
    await Promise.all([reload(), onTurn()]);
  }

  /** What comes of a run after a decision. @param {string} run @param {number} seq */
  async function follow(run, seq) {
    try {
      for await (const event of goneOn(run, seq)) if (event.done) await reload();
    } catch {
      // The transcript has it.
    }
  }

  const isTold =
    turn?.over && turns.some((/** @type {any} */ one) => one.role === "assistant" && one.run_id === turn.run);
  const last = turns.at(-1);
  const asking = !turn && last?.role === "assistant" ? last.run_id : undefined;
  // What was likely as an answer when it was asked, is still, after a reload.
  const before = useLoad(
    async (background) => (asking ? await getJson(`/api/v1/runs/${asking}`, { background }) : undefined),
    [asking],
  ).data;
  const hinted = turn ? (turn.over ? turn.last : undefined) : before?.result;
  const buttons = hinted?.ui_hint?.buttons ?? [];
  return html`<section aria-label=${t("talks.title")} onDragOver=${(/** @type {DragEvent} */ event) => (event.dataTransfer?.types.includes("Files") ? event.preventDefault() : undefined)}
      onDrop=${(/** @type {DragEvent} */ event) => {
        // A text that is dropped goes where it is dropped.
        const [file] = event.dataTransfer?.files ?? [];
        if (!file) return;
        event.preventDefault();
        void take(file);
      }}>
    ${error ? html`<${Problem} error=${error} />` : null}
    ${!exists && !turn ? html`<${Empty} title=${t("talks.none_hint")}><${Examples} onChoose=${send} /><//>` : null}
    ${data?.summary ? html`<details><summary>${t("talks.summary")}</summary><p>${data.summary.text}</p></details>` : null}
    <div role="log" aria-label=${t("talks.title")}>
      ${turns.map((/** @type {any} */ one, /** @type {number} */ at) => (one.role === "user" ? html`<p key=${at} class="question">${one.text}</p>` : html`<${Answer} key=${at} entry=${one} />`))}
      ${turn && !isTold ? html`<${Live} turn=${turn} asked=${!turns.some((/** @type {any} */ one) => one.run_id === turn.run && turn.run)} />` : null}
    </div>
    ${trouble ? html`<${Problem} error=${trouble} />` : null}
    ${buttons.length > 0 ? html`<div class="buttons" role="group" aria-label=${t("talks.likely")}>${buttons.map((/** @type {string} */ one) => html`<button type="button" onClick=${() => send(one)}>${one}</button>`)}</div>` : null}
    <${Chips} working=${data?.working_set} isBusy=${isBusy} onDrop=${send} />
    ${table ? html`<${ReadTable} table=${table} onRead=${read} />` : null}
    <form class="panel ask" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      void send(text);
    }}>
      <label for="message">${t("talks.message")}</label>
      <textarea id="message" rows="2" maxlength="4000" aria-describedby="message-hint" value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.target.value)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
          // Enter may also choose a letter of an input method.
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send(text);
        }} />
      <div class="row"><button type="submit" class="primary" aria-disabled=${String(isBusy || isHeld)}>${t("talks.send")}</button>
        <${ChooseTable} onChoose=${take} />
        ${isBusy && turn.run ? html`<button type="button" onClick=${() => void request(`/api/v1/runs/${turn.run}/cancel`, { method: "POST" }).catch(() => undefined)}>${t("talks.stop")}</button>` : null}
        <span class="hint" id="message-hint">${isHeld ? t("table.waits") : `${t("table.drop")}. ${t("talks.hint")}`}</span></div>
    </form>
    <span ref=${end}></span>
  </section>`;
}

/** What an event of the chat dialect changes of a turn. @param {any} turn @param {any} event */
function changeBy(turn, event) {
  const run = turn.run ?? event.thread_id;
  if (event.done) return { run, last: event, text: event.message ?? turn.text };
  if (event.token !== undefined) return { run, text: turn.text + event.token };
  const { node, tool_call: call, progress } = event;
  if (node === undefined) return { run };
  if (call)
    return {
      run,
      steps: {
        ...turn.steps,
        [node]: call.status === "started" ? "running" : call.status === "ok" ? "finished" : "failed",
      },
    };
  return typeof progress?.message === "string"
    ? { run, steps: { ...turn.steps, [node]: "running" } }
    : { run };
}

/** @param {{turn: any, asked: boolean}} props */
function Live({ turn, asked }) {
  const { last } = turn;
  return html`${asked ? html`<p class="question">${turn.message}</p>` : null}
    <div class="answer" aria-busy=${String(!turn.over)}>
      <ul class="chips">${Object.entries(turn.steps).map(([node, state]) => html`<li key=${node}><span class="tag">${wordsOf(node)}</span> <${State} state=${state} /></li>`)}</ul>
      <${Message} text=${turn.text} />
      ${last?.error ? html`<p class="problem">${last.error} <code>${last.code}</code></p>` : null}
      ${turn.run ? html`<${Links} run=${turn.run} approval=${last?.approval?.id} />` : null}
    </div>`;
}

/** @param {{entry: any}} props */
function Answer({ entry }) {
  return html`<div class="answer"><${Message} text=${entry.text} />
    ${entry.code ? html`<p class="problem"><code>${entry.code}</code></p>` : null}
    <${Links} run=${entry.run_id} paused=${entry.status === "paused"} /></div>`;
}

/** @param {{run: string, approval?: string, paused?: boolean}} props */
function Links({ run, approval, paused }) {
  const waits = approval ? `/console/approvals/${approval}` : `/console/runs/${run}`;
  return html`<p class="hint"><a href=${`/console/runs/${run}`}>${t("talks.ran")} ${shortId(run)}</a>${approval || paused ? html` · <a href=${waits}>${t("talks.decide")}</a>` : null}</p>`;
}

/** An answer's text; a list of values in it is a table that sorts. @param {{text: string}} props */
function Message({ text }) {
  return html`${messageParts(text).map((part) => ("rows" in part ? html`<${Scroll} label=${t("approval.proposal")}><${TextTable} rows=${part.rows} /><//>` : html`<p>${part.text}</p>`))}`;
}

/** What is in force, each to be taken back. @param {{working: any, isBusy: boolean, onDrop: (message: string) => void}} props */
function Chips({ working, isBusy, onDrop }) {
  const slots = Object.entries(working?.slots ?? {});
  if (slots.length === 0) return null;
  return html`<section aria-label=${t("talks.understood")}><p class="hint">${t("talks.understood")}. ${t("talks.take_back_hint")}</p>
    <ul class="chips">${slots.map(([slot, value]) => {
      const label = working.labels?.[slot]?.[language] ?? wordsOf(slot);
      const shown = valueText(slot, value);
      return html`<li key=${slot}><button type="button" class="chip" aria-disabled=${String(isBusy)} aria-label=${t("talks.take_back", { label, value: shown })}
        onClick=${() => onDrop(t("talks.drop", { label }))}>${label}: ${shown} <span aria-hidden="true">×</span></button></li>`;
    })}</ul></section>`;
}

/** @param {string} slot @param {unknown} value */
function valueText(slot, value) {
  if (typeof value === "number" && slot.endsWith("_pct")) return `${Math.round(value * 10_000) / 100}%`;
  if (Array.isArray(value))
    return value.length > 4 ? `${value.slice(0, 3).join(", ")} … (${value.length})` : value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Something to begin with, of what the mesh offers. @param {{onChoose: (message: string) => void}} props */
function Examples({ onChoose }) {
  const { data } = useLoad((background) => getJson("/api/v1/services", { background }), []);
  const korean = language === "ko";
  const examples = (data?.services ?? []).flatMap((/** @type {any} */ one) =>
    (one.examples ?? []).filter((/** @type {string} */ text) => /[가-힣]/.test(text) === korean).slice(0, 1),
  );
  return html`<div class="buttons">${examples.slice(0, 6).map((/** @type {string} */ one) => html`<button type="button" onClick=${() => onChoose(one)}>${one}</button>`)}</div>`;
}
