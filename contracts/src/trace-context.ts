/** Where a request belongs in a trace, in the form of the W3C's headers. @see https://www.w3.org/TR/trace-context-2/ */
export type TraceContext = {
  /** `00-<trace id>-<span id>-<flags>`. Absent: the request belongs to no trace. */
  readonly traceparent?: string | undefined;
  /** What tracing systems on the way have added. Never without `traceparent`. */
  readonly tracestate?: string | undefined;
};

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);

const MEMBER =
  /^(?:[a-z0-9][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MOST_MEMBERS = 32;
/** What has to be passed on of a longer state. */
const MOST_CHARS = 512;

const NONE: TraceContext = {};

/**
 * The trace context of a request's headers, in version 00. A `traceparent` that is malformed counts as absent, and so does what comes with
 * it; a malformed `tracestate` alone is dropped.
 */
export function traceContextOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): TraceContext {
  const { traceparent: parent } = headers;
  if (typeof parent !== "string") return NONE;
  const [, version, trace, span, flags, more] = TRACEPARENT.exec(parent.trim()) ?? [];
  if (version === undefined || version === "ff" || trace === NO_TRACE || span === NO_SPAN) return NONE;
  // Later versions may add fields; this one has none.
  if (version === "00" && more !== undefined) return NONE;
  const traceparent = `00-${trace}-${span}-${flags}`;
  const state = stateOf(headers.tracestate);
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

function stateOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined || header.length === 0) return undefined;
  const text = typeof header === "string" ? header : header.join(",");
  const members = text
    .split(",")
    .map((one) => one.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((one) => one !== "");
  if (members.length === 0 || members.length > MOST_MEMBERS) return undefined;
  const keys = new Set(members.map((one) => one.slice(0, one.indexOf("="))));
  if (keys.size < members.length || !members.every((one) => MEMBER.test(one))) return undefined;
  // Latest first: what does not fit any more is the oldest.
  while (members.join(",").length > MOST_CHARS) members.pop();
  return members.length > 0 ? members.join(",") : undefined;
}

/** The id that log lines, run records and traces share; undefined outside of a trace. */
export function traceIdOf({ traceparent }: TraceContext): string | undefined {
  return traceparent?.slice(3, 35);
}
