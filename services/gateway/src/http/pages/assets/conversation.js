/** Turns of a conversation, as they happen. */
import { ask, goneOn, Refused, request } from "./api.js";
import { byId, dot, element, moment } from "./dom.js";

const turns = byId("turns");
const stop = byId("stop");
const send = byId("send");

/** Begins anew with each conversation. Not `randomUUID`, which pages without TLS lack. */
let session = newSession();
/** The run that Stop cancels. */
let running = "";

function newSession() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export function startAfresh() {
  session = newSession();
  turns.replaceChildren();
}

/** @param {string} message */
export async function take(message) {
  const view = turnView(message);
  turns.append(view.element);
  busy(true);
  try {
    for await (const event of ask(message, session)) {
      if (event.thread_id) running = event.thread_id;
      view.show(event);
      if (event.status === "paused") void follow(running, event.seq, view);
    }
  } catch (error) {
    view.fail(
      error instanceof Refused ? error.message : "The gateway does not answer, or its stream was cut.",
      error.code,
    );
  } finally {
    busy(false);
    view.end();
  }
}

/** Reads on from a pause, so that the decision of somebody else is seen here. @param {string} run @param {number} seq @param {ReturnType<typeof turnView>} view */
async function follow(run, seq, view) {
  try {
    for await (const event of goneOn(run, seq)) view.show(event);
  } catch {
    // What there was stays; the commands beside it ask again.
  }
}

stop.addEventListener("click", () => {
  if (running) void request(`/api/v1/runs/${running}/cancel`, { method: "POST" }).catch(() => undefined);
});

/** @param {boolean} is */
function busy(is) {
  if (is) running = "";
  send.disabled = is;
  stop.hidden = !is;
  byId("fresh").hidden = is;
}

/** One question and what comes of it. @param {string} message */
function turnView(message) {
  const steps = element("ol.steps", { "aria-label": "Steps" });
  const text = element("div.text");
  const more = element("div.more");
  const answer = element("div.answer", { "aria-busy": "true" }, steps, text, more);
  const whole = element(
    "article.turn",
    { "aria-label": "Question and answer" },
    element("p.question", spoken(message), message),
    answer,
  );
  /** @type {Map<string, HTMLElement>} */
  const lines = new Map();

  /** @param {string} node @param {"idle" | "busy" | "ok" | "warn" | "bad"} tone @param {string} words */
  function step(node, tone, words) {
    const line = element(
      "li",
      { "data-tone": tone },
      dot(tone),
      element("span.node", {}, node),
      element("span.words", {}, ` ${words}`),
    );
    const before = lines.get(node);
    if (before) before.replaceWith(line);
    else steps.append(line);
    lines.set(node, line);
  }

  /** @param {any} event */
  function onProgress({ node, progress }) {
    if (progress?.stage === "plan")
      for (const { id, agent } of progress.steps)
        step(id, "idle", agent ? `by ${agent}, not begun` : "not begun");
    else if (progress?.stage === "warning" && typeof progress.message === "string")
      more.append(element("p.note", {}, progress.message));
    else if (node && typeof progress?.message === "string") {
      const { completed, total } = progress;
      step(node, "busy", progress.message + (total === undefined ? "" : `, ${completed ?? 0} of ${total}`));
    }
  }

  /** @param {any} event */
  function onCall({ node, tool_call: { agent, status, duration_ms, error, optional } }) {
    if (status === "started") step(node, "busy", `by ${agent}, running`);
    else if (status === "ok") step(node, "ok", `by ${agent}, done in ${duration_ms} ms`);
    else step(node, optional ? "warn" : "bad", `by ${agent}: ${error}`);
  }

  /** @param {any} event the last of a stream */
  function onEnd({ message, error, code, warnings = [], ui_hint, approval, status }) {
    text.textContent = message ?? "";
    for (const [name, value] of Object.entries(spoken(message ?? ""))) text.setAttribute(name, value);
    more.replaceChildren();
    if (error !== undefined) more.append(problem(error, code));
    if (warnings.length > 0)
      more.append(element("ul.note", {}, ...warnings.map((one) => element("li", {}, one))));
    if (status === "paused" && approval) more.append(approvalBox(approval));
    if (status === "rejected")
      more.append(element("p.note", {}, "The proposal was rejected: nothing was done."));
    const buttons = ui_hint?.buttons ?? [];
    if (buttons.length > 0)
      more.append(
        element(
          "div.buttons",
          { role: "group", "aria-label": "Likely answers" },
          ...buttons.map((one) =>
            element("button", { type: "button", ...spoken(one), click: () => void take(one) }, one),
          ),
        ),
      );
  }

  return {
    element: whole,
    /** @param {any} event of the chat dialect */
    show(event) {
      if (event.done) onEnd(event);
      else if (event.token !== undefined) text.append(event.token);
      else if (event.tool_call) onCall(event);
      else onProgress(event);
    },
    /** @param {string} message @param {string} [code] */
    fail: (message, code) => more.replaceChildren(problem(message, code)),
    end: () => answer.removeAttribute("aria-busy"),
  };
}

/** @param {string} error @param {string} [code] */
function problem(error, code) {
  return element(
    "p.problem",
    {},
    element("strong", {}, "It failed. "),
    error,
    ...(code ? [" (", element("code", {}, code), ")"] : []),
  );
}

/** @param {any} approval */
function approvalBox({ id, roles, proposal_hash, expires_in_s }) {
  const until = new Date(Date.now() + expires_in_s * 1000).toISOString();
  const url = `${location.origin}/api/v1/approvals/${id}`;
  const token = '-H "Authorization: Bearer $TOKEN"';
  const commands = [
    `curl -s '${url}' ${token}`,
    `curl -s -X POST '${url}/decision' ${token} \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify({ decision: "approve", proposal_hash })}'`,
  ];
  return element(
    "section.approval",
    { "aria-label": "Waits for a decision" },
    element("h3", {}, "A person has to decide"),
    element(
      "p",
      {},
      "What comes next has not been done. ",
      roles.length > 0 ? `It is for ${roles.join(" or ")} to decide, until ` : "It is undecided until ",
      moment(until),
      ". This page cannot decide; whoever may, looks at the proposal and decides with a token of their own:",
    ),
    element("pre", {}, element("code", {}, commands.join("\n"))),
    element("p", {}, "When it is decided, the rest appears here."),
  );
}

/** The language of a text, for those who have it read to them. @param {string} text */
const spoken = (text) => (/[가-힣]/.test(text) ? { lang: "ko" } : {});
