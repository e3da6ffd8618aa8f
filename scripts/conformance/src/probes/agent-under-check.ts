import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bounds } from "../bounds.ts";
import { type Exchange, isBusy, type ProbeName } from "../evidence.ts";
import type { Asked } from "../wire/answer.ts";
import { type Canary, leakSearch, newCanary } from "../wire/canary.ts";
import { exchange } from "../wire/client.ts";

export type Target = {
  /** The base URL: http or https, no credentials, no query. */
  readonly url: string;
  readonly taskType: string;
};

/** What a check sends beside its requests, and callbacks during it. */
export type Hooks = {
  /** Sent with run requests as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** An exchange ended, with or without an answer. */
  readonly onExchange?: () => void;
  /** A piece of a body was read. */
  readonly afterRead?: () => void;
};

const PATHS: Readonly<Record<Asked["endpoint"], string>> = {
  sync: "agents/run/sync",
  stream: "agents/run/stream",
  card: "agents/card",
  health: "health",
  ready: "health/ready",
};

const MIB = 1024 * 1024;
const BUSY_RETRIES = 4;
const LONGEST_PAUSE_MS = 5_000;

export type Question = {
  readonly endpoint: Asked["endpoint"];
  /** What is special about this request, for reports. */
  readonly what: string;
  readonly body?: string;
  readonly requestId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** The answer needs no run, so a small size limit applies. */
  readonly small?: boolean;
  readonly hangUp?: boolean;
  readonly look?: (body: Buffer) => void;
};

/** One agent, all exchanges with it so far, and the time left. */
export class AgentUnderCheck {
  readonly taskType: string;
  readonly bounds: Bounds;
  readonly canary: Canary = newCanary((below) => randomInt(below));
  readonly exchanges: Exchange[] = [];
  eventBytes = MIB;
  readonly #base: string;
  readonly #search = leakSearch(this.canary);
  readonly #endMs: number;
  readonly #hooks: Hooks;
  readonly #authorization: Readonly<Record<string, string>>;

  constructor(target: Target, bounds: Bounds, hooks: Hooks) {
    this.taskType = target.taskType;
    this.bounds = bounds;
    this.#base = target.url.replace(/\/+$/, "");
    this.#endMs = performance.now() + bounds.totalMs;
    this.#hooks = hooks;
    this.#authorization = hooks.token === undefined ? {} : { authorization: `Bearer ${hooks.token}` };
  }

  get leftMs(): number {
    return Math.max(0, this.#endMs - performance.now());
  }

  /** Whether the agent has ever answered. If not, most probes are skipped. */
  get hasAnswered(): boolean {
    return this.exchanges.some(({ reply }) => reply.kind === "answer");
  }

  newRequestId(): string {
    return `conformance-${randomUUID()}`;
  }

  /** Sends a request, and sends it again while the agent is busy. Undefined if the time is up. */
  async ask(probe: ProbeName, question: Question): Promise<Exchange | undefined> {
    for (let attempt = 0; ; attempt++) {
      if (this.leftMs === 0) return undefined;
      const { retryAfterMs, ...seen } = await this.#once(probe, question);
      if (attempt === BUSY_RETRIES || !isBusy(seen.reply)) {
        this.exchanges.push(seen);
        this.#hooks.onExchange?.();
        return seen;
      }
      const pauseMs = retryAfterMs ?? this.bounds.busyMs * 2 ** attempt;
      await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS, this.leftMs / 2));
    }
  }

  async #once(
    probe: ProbeName,
    question: Question,
  ): Promise<Exchange & { retryAfterMs: number | undefined }> {
    const { endpoint, what, requestId, body, limitMs, small, ...rest } = question;
    const asked: Asked = { endpoint, what, requestId, taskType: this.taskType };
    const reply = await exchange({
      asked,
      url: new URL(`${this.#base}/${PATHS[endpoint]}`),
      method: body === undefined ? "GET" : "POST",
      connectMs: this.bounds.connectMs,
      search: this.#search,
      afterRead: this.#hooks.afterRead ?? (() => {}),
      limits: {
        eventBytes: this.eventBytes,
        bodyBytes: small === true ? this.bounds.smallBytes : Math.max(this.bounds.syncBytes, this.eventBytes),
        streamBytes: this.bounds.streamBytes,
        closeMs: this.bounds.closeMs,
      },
      ...rest,
      ...(body === undefined
        ? {}
        : { body, headers: { "content-type": "application/json", ...this.#authorization, ...rest.headers } }),
      limitMs: Math.min(limitMs, this.leftMs),
    });
    return { probe, asked, reply, retryAfterMs: reply.kind === "answer" ? reply.retryAfterMs : undefined };
  }
}
