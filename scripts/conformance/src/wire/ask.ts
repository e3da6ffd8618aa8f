import type { Asked } from "./answer.ts";
import type { LeakSearch } from "./canary.ts";

export type ReadLimits = {
  readonly eventBytes: number;
  readonly bodyBytes: number;
  /** For all events together. A longer stream is reported as endless. */
  readonly streamBytes: number;
  /** How long a stream may stay open after its terminal event. */
  readonly closeMs: number;
};

/** One request of the check. */
export type Ask = {
  readonly asked: Asked;
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the call to the last byte, including the time to connect. */
  readonly limitMs: number;
  readonly connectMs: number;
  readonly search: LeakSearch;
  readonly limits: ReadLimits;
  /** Called after each chunk of a body. */
  readonly afterRead: () => void;
  /** Close our side of the connection once the answer has begun, and keep reading. */
  readonly hangUp?: boolean;
  /** Called with the complete body, if it is at most 1 MiB. */
  readonly look?: (body: Buffer) => void;
};
