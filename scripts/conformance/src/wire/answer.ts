import type { JsonSeen } from "./json-seen.ts";

/** The request, in words that a report may show. */
export type Asked = {
  readonly endpoint: "sync" | "stream" | "health" | "ready" | "card";
  /** Completes the sentence "asked with …", such as "a body that is a list". */
  readonly what: string;
  /** As sent, if it was a string. */
  readonly requestId?: string | undefined;
  readonly taskType?: string | undefined;
};

export type EventSeen = {
  readonly name: string | undefined;
  /** Counted from 1. */
  readonly place: number;
  readonly json: JsonSeen;
};

/** What was observed of an event stream, without its data. */
export type StreamSeen = {
  readonly events: number;
  /** Number of the first event whose data is not one JSON value. */
  readonly notJson: number | undefined;
  readonly first: EventSeen | undefined;
  readonly started: EventSeen | undefined;
  readonly terminal: EventSeen | undefined;
  /** The first event after the terminal one. */
  readonly after: EventSeen | undefined;
  /** How the canary is written in an `error` event or a failed terminal event. */
  readonly leak: string | undefined;
  /** Bytes of an incomplete event follow the last event. */
  readonly pending: boolean;
  readonly largestBytes: number;
  readonly longestSilenceMs: number;
};

/**
 * How the body ended: complete, by a broken connection, or cut by the check because the time was up, it was too large,
 * it was endless, it stayed open after the terminal event, or enough was seen.
 */
export type BodyEnd = "whole" | "broken" | "time" | "size" | "endless" | "still open" | "enough";

export type Answer = {
  readonly kind: "answer";
  readonly status: number;
  readonly media: "json" | "events" | "other" | "none";
  readonly coded: boolean;
  readonly noTransform: boolean;
  /** From the `Retry-After` header, if that is a number of seconds. */
  readonly retryAfterMs: number | undefined;
  readonly leakInHeader: string | undefined;
  readonly leakInBody: string | undefined;
  readonly end: BodyEnd;
  readonly utf8: boolean;
  /** Of a body that is not an event stream. */
  readonly json: JsonSeen;
  /** Of a body that is an event stream. */
  readonly stream: StreamSeen | undefined;
  readonly ms: number;
};

/** There was no response. `connect`: there was no connection either. */
export type NoAnswer = {
  readonly kind: "none";
  readonly why: "connect" | "broken" | "time";
  readonly words: string;
  readonly ms: number;
};

export type Reply = Answer | NoAnswer;
