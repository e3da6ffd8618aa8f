import type { JsonSeen } from "./json-seen.ts";

/** What was asked, in words that a report may show. */
export type Asked = {
  readonly endpoint: "sync" | "stream" | "health" | "ready" | "card";
  /** "a body that is a list": completes the sentence "asked with …". */
  readonly what: string;
  /** As sent, where it was a string. */
  readonly requestId?: string | undefined;
  readonly taskType?: string | undefined;
};

export type EventSeen = {
  readonly name: string | undefined;
  /** Counted from 1. */
  readonly place: number;
  readonly json: JsonSeen;
};

/** What was observed of an event stream; none of its data. */
export type StreamSeen = {
  readonly events: number;
  /** The place of the first event whose data is not one JSON value. */
  readonly notJson: number | undefined;
  readonly first: EventSeen | undefined;
  readonly started: EventSeen | undefined;
  readonly terminal: EventSeen | undefined;
  /** The first event after the terminal one. */
  readonly after: EventSeen | undefined;
  /** An `error` event, or a terminal one that failed, which holds the canary. */
  readonly leak: string | undefined;
  /** Bytes came after the last event that do not make an event. */
  readonly pending: boolean;
  readonly largestBytes: number;
  readonly longestSilenceMs: number;
};

/**
 * How the body ended: by itself, by a broken connection, or by us: its time was up, it grew too large, it went on
 * without end, it stayed open after the terminal event, or enough was seen.
 */
export type BodyEnd = "whole" | "broken" | "time" | "size" | "endless" | "still open" | "enough";

export type Answer = {
  readonly kind: "answer";
  readonly status: number;
  readonly media: "json" | "events" | "other" | "none";
  readonly coded: boolean;
  readonly noTransform: boolean;
  /** From the `Retry-After` header, where it is a number of seconds. */
  readonly retryAfterMs: number | undefined;
  readonly leakInHeader: string | undefined;
  readonly leakInBody: string | undefined;
  readonly end: BodyEnd;
  readonly utf8: boolean;
  /** Of a body that was read as JSON. */
  readonly json: JsonSeen;
  /** Of a body that was read as an event stream. */
  readonly stream: StreamSeen | undefined;
  readonly ms: number;
};

/** No response header came. `connect`: not even a connection. */
export type NoAnswer = {
  readonly kind: "none";
  readonly why: "connect" | "broken" | "time";
  readonly words: string;
  readonly ms: number;
};

export type Reply = Answer | NoAnswer;
