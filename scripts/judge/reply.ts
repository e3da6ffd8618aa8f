import type { Constraint } from "./set.ts";

/** A request that the gateway sent to an agent. */
export type Request = { readonly run: string; readonly task: string; readonly inputs: Inputs };
export type Inputs = Readonly<Record<string, unknown>> & { readonly constraints?: readonly Constraint[] };

/** What came of one message. */
export type Reply = {
  readonly status: number;
  readonly message: string;
  readonly buttons: readonly string[];
  /** What agents were asked for it, in the order in which they were. */
  readonly requests: readonly Request[];
  /** Requests of earlier messages whose results it used. */
  readonly reused: readonly Request[];
  /** What the approval holds that it ended with. */
  readonly approval?: unknown;
  /** A dialect's code of an error, or of an effect that was refused. */
  readonly code?: string;
};

const NOT_APPLIED =
  /(?:Not applied|적용하지 못함|적용하지 않은 조건|not answered|답하지 (?:못|않)[^:：]*)\s*[:：]\s*(.*)/gi;

/** What the answer names as not applied, or as not answered. */
export function namedIn({ message }: Reply): string {
  return [...message.matchAll(NOT_APPLIED)].map(([, phrases = ""]) => phrases).join(" ");
}

/** Whether the reply asks back instead of having done anything, or before it does the rest. */
export function asksBack({ status, buttons, requests, reused, message }: Reply): boolean {
  if (status !== 200 || buttons.length === 0) return false;
  return (
    (requests.length === 0 && reused.length === 0) ||
    /(?:^|\s)(?:Not done:|실행하지 않았습니다:)/.test(message)
  );
}

const CANNOT =
  /can(?:no|')t\b|cannot|not able to|unable|don't do|do not do|outside (?:of )?what|nothing here|no such|I can (?:only )?|할 수 (?:없|있)|못 합|못합|지원하지/i;

/** Whether the reply says what cannot be done, or what can. */
export function tellsLimits({ message }: Reply, general: string): boolean {
  return message.includes(general.trim()) || CANNOT.test(message);
}
