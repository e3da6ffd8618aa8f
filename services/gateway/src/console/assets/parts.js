/** What the screens of the console are made of. Texts stay text, whatever is in them: nothing here makes markup. */
import htm from "htm";
import { h } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused, signInAddress } from "./api.js";
import { language, t } from "./texts.js";

export const html = htm.bind(h);

/**
 * What a request tells, kept up to date.
 * @template T
 * @param {(background: boolean) => Promise<T>} load @param {unknown[]} inputs what it depends on
 * @param {number} [everyMs] how often it is asked again while somebody looks
 * @returns {{data?: T, error?: unknown, reload: () => Promise<void>}}
 */
export function useLoad(load, inputs, everyMs) {
  const [state, setState] = useState(/** @type {{data?: T, error?: unknown}} */ ({}));
  const latest = useRef(0);
  const underWay = useRef(0);
  const look = useCallback(
    /** @param {boolean} background */
    async (background) => {
      latest.current += 1;
      const mine = latest.current;
      underWay.current += 1;
      try {
        const data = await load(background);
        if (mine === latest.current) setState({ data });
      } catch (error) {
        if (mine === latest.current) setState((before) => ({ ...before, error }));
      } finally {
        underWay.current -= 1;
      }
    },
    inputs,
  );
  useEffect(() => {
    void look(false);
    if (everyMs === undefined) return;
    // An answer that takes longer than that is waited for: asked again each time, none would ever be the latest.
    const timer = setInterval(() => {
      if (!document.hidden && underWay.current === 0) void look(true);
    }, everyMs);
    return () => clearInterval(timer);
  }, [look, everyMs]);
  return { ...state, reload: () => look(false) };
}

/** Why something could not be done, and what to do now. @param {{error: any}} props */
export function Problem({ error }) {
  if (!error) return null;
  const isRefused = error instanceof Refused;
  if (!isRefused) return html`<p class="problem" role="alert">${t("error.away")}</p>`;
  if (error.maxAge !== undefined) {
    const text = t("error.fresh", { seconds: error.maxAge });
    return html`<p class="problem" role="alert">${text} <${SignInBeside} maxAge=${error.maxAge} /></p>`;
  }
  if (error.status === 401) {
    const text = t(error.body.sign_in ? "error.over" : "error.sign_in");
    return html`<p class="problem" role="alert">${text} <${SignInBeside} /></p>`;
  }
  const known = { 403: "error.forbidden", 404: "error.not_found" }[error.status];
  const text = known
    ? `${t(known)} ${error.status === 403 ? error.message : ""}`
    : t("error.failed", { message: error.message });
  return html`<p class="problem" role="alert">${text} <code>${error.code}</code></p>`;
}

/** Beside this page, so that what was typed in it stays. @param {{maxAge?: string}} props */
export function SignInBeside({ maxAge }) {
  return html`<a href=${signInAddress(maxAge)} target="_blank" rel="noopener">${t("sign_in.again")}</a>`;
}

/** @type {Record<string, string>} */
const TONES = {
  ...{
    running: "busy",
    resuming: "busy",
    queued: "idle",
    paused: "warn",
    pending: "warn",
    needs_review: "bad",
  },
  ...{ finished: "ok", approved: "ok", ready: "ok", failed: "bad", rejected: "bad", not_ready: "bad" },
};

/** A state in words and colour. @param {{state: string, text?: string}} props */
export function State({ state, text = t(`state.${state}`) }) {
  const tone = TONES[state] ?? "idle";
  return html`<span class="state-of ${tone}"><span class="dot ${tone}" aria-hidden="true"></span>${text}</span>`;
}

/** Where a list is empty: why, and what to do. @param {{title: string, children?: any}} props */
export function Empty({ title, children }) {
  return html`<div class="empty"><p class="empty-title">${title}</p>${children}</div>`;
}

const locale = language === "ko" ? "ko-KR" : "en-GB";

// Made once: a list has thousands of moments.
const timeOf = {
  short: new Intl.DateTimeFormat(locale, { timeStyle: "short" }),
  medium: new Intl.DateTimeFormat(locale, { timeStyle: "medium" }),
};
const dateOf = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const wholeOf = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "medium" });

/** @param {{at?: string, seconds?: boolean}} props */
export function Moment({ at, seconds = false }) {
  if (!at) return html`–`;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const shown = (isToday ? timeOf[seconds ? "medium" : "short"] : dateOf).format(date);
  return html`<time datetime=${at} title=${wholeOf.format(date)}>${shown}</time>`;
}

const UNITS = /** @type {const} */ ([
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
]);
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** How far away a moment is. @param {string} at */
export function fromNow(at) {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** A number and its unit stay on one line. @param {number} ms */
export function duration(ms) {
  if (ms < 1_000) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}\u00a0s`;
  if (ms < 3_600_000)
    return `${Math.floor(ms / 60_000)}\u00a0min ${Math.round((ms % 60_000) / 1_000)}\u00a0s`;
  return `${(ms / 3_600_000).toFixed(1)}\u00a0h`;
}

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });

/** @param {number} value */
export const numberText = (value) => numbers.format(value);

/** A name of data as words: `required_gap_pct`. @param {string} name */
export const wordsOf = (name) => name.replaceAll("_", " ");

/** @param {string} id */
export const shortId = (id) => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

/**
 * Numbers of one column, with as many decimals as the one that has most: their points stand below each other.
 * @param {unknown[]} values
 */
export function columnText(values) {
  const most = Math.min(
    4,
    Math.max(0, ...values.map((value) => (typeof value === "number" ? decimalsOf(value) : 0))),
  );
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: most === 1 ? 2 : most,
    maximumFractionDigits: 4,
  });
  return (/** @type {unknown} */ value) =>
    typeof value === "number"
      ? format.format(value)
      : value === undefined || value === null
        ? "–"
        : String(value);
}

/** @param {number} value */
const decimalsOf = (value) => (/\.(\d+)$/.exec(String(value))?.[1] ?? "").length;

/** A table that scrolls in itself where the page is too narrow. @param {{label: string, list?: boolean, children?: any}} props */
export function Scroll({ label, list = false, children }) {
  return html`<div class=${list ? "scroll list-of" : "scroll"} role="region" aria-label=${label} tabindex="0">${children}</div>`;
}

/** Gives a file to whoever looks. @param {string} name @param {string} type @param {BlobPart[]} parts */
export function download(name, type, parts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
