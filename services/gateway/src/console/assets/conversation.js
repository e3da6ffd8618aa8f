/** Turns of a conversation, as they happen. */
import { ask, goneOn, newKey, Refused, request } from "./api.js";
import { byId, dot, element, moment } from "./dom.js";

const turns = byId("turns");
const stop = byId("stop");
const send = byId("send");

/** Begins anew with each conversation. */
let session = newSession();
/** The run that Stop cancels, once it is known. */
let running = "";
let isStopped = false;
let isBusy = false;

function newSession() {
  return `page-${newKey()}`;
}

export function startAfresh() {
  session = newSession();
  turns.replaceChildren();
}

/** Takes a message, unless one is being answered. @param {string} message @returns {boolean} whether it does */
export function take(message) {
  if (isBusy) return false;
  // What was likely as an answer then, is no answer now.
  for (const old of turns.querySelectorAll(".buttons")) old.remove();
  void taken(message);
  return true;
}

/** @param {string} message */
async function taken(message) {
  const view = turnView(message);
  turns.append(view.element);
  busy(true);
  try {
    for await (const event of ask(message, session)) {
      if (event.thread_id && !running) {
        running = event.thread_id;
        if (isStopped) cancel();
      }
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
  isStopped = true;
  if (running) cancel();
});

function cancel() {
  void request(`/api/v1/runs/${running}/cancel`, { method: "POST" }).catch(() => undefined);
}

/** @param {boolean} is */
function busy(is) {
  isBusy = is;
  if (is) {
    running = "";
    isStopped = false;
  }
  // Not `disabled`, which would take the focus away.
  send.setAttribute("aria-disabled", String(is));
  if (!is && document.activeElement === stop) byId("message").focus();
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
  /** The step that a person has to decide on. @type {string | undefined} */
  let waitsAt;
  /** How what waited was refused. */
  let refused = "rejected";
  /** What was decided on a step stands before what comes of it. @type {Map<string, string>} */
  const decisions = new Map();

  /** @param {string} node @param {"idle" | "busy" | "ok" | "warn" | "bad"} tone @param {string} words */
  function step(node, tone, words) {
    const line = element(
      "li",
      { "data-tone": tone },
      dot(tone),
      element("span.node", {}, node),
      element("span.words", {}, ` ${decisions.get(node) ?? ""}${words}`),
    );
    const before = lines.get(node);
    if (before) before.replaceWith(line);
    else steps.append(line);
    lines.set(node, line);
  }

  /** What an agent sends has the name of its step, and may look like anything. @param {any} event */
  function onProgress({ node, progress }) {
    if (progress === null || typeof progress !== "object") return;
    const { stage, message, completed, total, decision, by } = progress;
    if (node === undefined) {
      // A step that no agent performs is told of by its results alone.
      if (stage === "plan")
        for (const { id, agent } of progress.steps) if (agent) step(id, "idle", `by ${agent}, not begun`);
      if (stage === "warning") more.append(element("p.note", {}, message));
    } else if (node === waitsAt && stage === "approval_decided") {
      waitsAt = undefined;
      if (decision === "withdrawn") refused = decision;
      more.replaceChildren();
      decisions.set(node, `${decision} by ${by}; `);
      step(node, decision === "approved" ? "busy" : "bad", decision === "approved" ? "goes on" : "not done");
    } else if (typeof message === "string")
      step(node, "busy", message + (total === undefined ? "" : `, ${completed ?? 0} of ${total}`));
  }

  /** @param {any} event */
  function onCall({ node, tool_call: { agent, status, duration_ms, error, optional } }) {
    if (status === "started") step(node, "busy", `by ${agent}, running`);
    else if (status === "ok") step(node, "ok", `by ${agent}, done in ${duration(duration_ms)}`);
    else step(node, optional ? "warn" : "bad", `by ${agent}: ${error}`);
  }

  /** @param {any} event the last of a stream */
  function onEnd({ node, message, error, code, warnings = [], ui_hint, approval, status }) {
    text.replaceChildren(...lined(message ?? ""));
    for (const [name, value] of Object.entries(spoken(message ?? ""))) text.setAttribute(name, value);
    more.replaceChildren();
    if (error !== undefined) more.append(problem(error, code));
    if (warnings.length > 0)
      more.append(element("ul.note", {}, ...warnings.map((one) => element("li", {}, one))));
    if (status === "paused" && approval) {
      waitsAt = node;
      step(node, "warn", "waits for a decision");
      more.append(approvalBox(approval));
    }
    if (status === "rejected")
      more.append(element("p.note", {}, `The proposal was ${refused}: nothing was done.`));
    const buttons = ui_hint?.buttons ?? [];
    if (buttons.length > 0) more.append(likelyAnswers(buttons));
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

/** Buttons that send what they say. @param {string[]} texts */
function likelyAnswers(texts) {
  const choose = (/** @type {string} */ text) => {
    byId("message").focus();
    take(text);
  };
  const buttons = texts.map((text) =>
    element("button", { type: "button", ...spoken(text), click: () => choose(text) }, text),
  );
  return element("div.buttons", { role: "group", "aria-label": "Likely answers" }, ...buttons);
}

/** The items of lists are elements, so that a narrow page can set off where each begins. @param {string} message */
const lined = (message) =>
  message.split(/^(- .*)$/m).map((part, index) => (index % 2 === 0 ? part : element("span.item", {}, part)));

/** A number and its unit stay on one line. @param {number} ms */
const duration = (ms) => (ms < 1_000 ? `${ms}\u00a0ms` : `${(ms / 1_000).toFixed(1)}\u00a0s`);

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
function approvalBox({ id, roles, expires_in_s }) {
  const until = new Date(Date.now() + expires_in_s * 1000).toISOString();
  const href = `/console/approvals/${id}`;
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
      ". Whoever may, decides at this address:",
    ),
    element("p", {}, element("a", { href }, location.origin + href)),
    element("p", {}, "When it is decided, the rest appears here."),
    withdrawal(id),
  );
}

/** Takes the request for an approval back; what comes of it appears with the run's events. @param {string} id */
function withdrawal(id) {
  const button = element("button", { type: "button", click: () => void withdraw() }, "Withdraw the request");
  async function withdraw() {
    button.disabled = true;
    try {
      await request(`/api/v1/approvals/${id}/withdraw`, { method: "POST" });
    } catch (error) {
      const said = error instanceof Refused ? error.message : "The gateway does not answer.";
      button.replaceWith(problem(said, error instanceof Refused ? error.code : undefined));
    }
  }
  return button;
}

/** The language of a text, for those who have it read to them. @param {string} text */
const spoken = (text) => (/[가-힣]/.test(text) ? { lang: "ko" } : {});
