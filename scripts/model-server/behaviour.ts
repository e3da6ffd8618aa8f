/**
 * What the server does with one request, written as words with `+` between them, such as `slow-20+cut-after-3`. Several behaviours with `~`
 * between them are those of the first request, the second, and so on; the last one stays.
 */
export type Behaviour = {
  /** Answers with this status and no answer. */
  status?: number;
  /** With the field Retry-After, in seconds. */
  retryAfter?: number;
  /** Milliseconds before each token, or before a whole answer. */
  slowMs?: number;
  /** Never answers: not even headers, or nothing after so many tokens. */
  stall?: "headers" | number;
  /** Destroys the connection after so many tokens. */
  cutAfter?: number;
  /** Destroys the connection after so many bytes of the body, or ends the answer there as if it were complete. */
  cutAt?: number;
  endAt?: number;
  /** An answer of the wrong form. */
  malformed?: boolean;
  /** No content. */
  empty?: boolean;
  /** After so many tokens, an event that tells of an error. */
  errorAfter?: number;
  usage?: "none" | "zero" | "negative" | "huge" | "late" | "text" | "cached";
  /** Calls this tool. */
  tool?: string;
  /** Calls these tools, all at once. */
  calls?: readonly { name: string; arguments: object }[];
  /** The tool's arguments are no JSON. */
  toolBroken?: boolean;
  /** Says this instead of what the server says otherwise. */
  say?: string;
};

type Setter = (behaviour: Behaviour, value: number, text: string) => void;

const WORDS: Readonly<Record<string, Setter>> = {
  ok: () => undefined,
  status: (one, value) => (one.status = value),
  "retry-after": (one, value) => (one.retryAfter = value),
  slow: (one, value) => (one.slowMs = value),
  "stall-headers": (one) => (one.stall = "headers"),
  "stall-after": (one, value) => (one.stall = value),
  "cut-after": (one, value) => (one.cutAfter = value),
  "cut-at": (one, value) => (one.cutAt = value),
  "end-at": (one, value) => (one.endAt = value),
  malformed: (one) => (one.malformed = true),
  empty: (one) => (one.empty = true),
  "error-after": (one, value) => (one.errorAfter = value),
  "usage-none": (one) => (one.usage = "none"),
  "usage-zero": (one) => (one.usage = "zero"),
  "usage-negative": (one) => (one.usage = "negative"),
  "usage-huge": (one) => (one.usage = "huge"),
  "usage-late": (one) => (one.usage = "late"),
  "usage-text": (one) => (one.usage = "text"),
  "usage-cached": (one) => (one.usage = "cached"),
  "tool-broken": (one) => (one.toolBroken = true),
  tool: (one, _, text) => (one.tool = text),
  calls: (one, _, text) => (one.calls = JSON.parse(Buffer.from(text, "base64url").toString())),
  say: (one, _, text) => (one.say = Buffer.from(text, "base64url").toString()),
};

/** Longest first: `tool-broken` is no tool called broken. */
const NAMES = Object.keys(WORDS).toSorted((one, other) => other.length - one.length);

/** @returns one behaviour for each request, the last one for all further ones; a word that is not known is `ok` */
export function readBehaviours(text: string): Behaviour[] {
  return text.split("~").map((words) => {
    const behaviour: Behaviour = {};
    for (const word of words.split("+")) {
      const name = NAMES.find((candidate) => word === candidate || word.startsWith(`${candidate}-`));
      const argument = name === undefined ? "" : word.slice(name.length + 1);
      if (name !== undefined) WORDS[name]?.(behaviour, Number(argument), argument);
      // `429` is short for `status-429`.
      else if (/^[1-5]\d\d$/.test(word)) behaviour.status = Number(word);
    }
    return behaviour;
  });
}

/** A text as `say-` takes it. */
export function saying(text: string): string {
  return `say-${Buffer.from(text).toString("base64url")}`;
}

/** Calls of tools as `calls-` takes them. */
export function calling(calls: readonly { name: string; arguments: object }[]): string {
  return `calls-${Buffer.from(JSON.stringify(calls)).toString("base64url")}`;
}
