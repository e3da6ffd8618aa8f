import type { ErrorBody } from "#contract";
import { abortable, checkAborted, ignore, Scope, sleep } from "./abort.ts";
import { RetryBudget, retryAfterMs } from "./backoff.ts";
import { readText } from "./body.ts";
import { AbortedError, ApiError, ConnectionError, InterlockError } from "./errors.ts";
import { invalidArgument, type Settings } from "./settings.ts";

export type Call = {
  readonly method: "GET" | "POST";
  /** Path below `/api/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A 2xx answer whose body is unread. Close every one, or its connection stays open. */
export type Answer = { readonly response: Response; readonly close: () => void };

const MAX_ERROR_BYTES = 64 * 1024;

/** Sends requests to the gateway. The only place that calls fetch. */
export class Transport {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /**
   * Sends the request once and resolves when the head of the answer has arrived.
   * @throws ApiError for any status that is not 2xx; ConnectionError; AbortedError
   */
  async send(call: Call, signal: AbortSignal): Promise<Answer> {
    checkAborted(signal);
    const scope = new Scope(signal);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      scope.close();
    }, this.settings.requestTimeoutMs);
    try {
      const response = await this.#fetch(call, scope.signal);
      if (!response.ok) throw await apiError(response, scope.signal);
      return { response, close: () => scope.close() };
    } catch (error) {
      scope.close();
      throw classify(error, signal, timedOut);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends the request, retries it by the `retry` policy, and parses the answer as JSON. A POST must carry an
   * Idempotency-Key, or a retry could take effect twice.
   * @throws ApiError, ConnectionError, AbortedError; InterlockError response_invalid
   */
  async json<T>(call: Call, outer?: AbortSignal): Promise<T> {
    const { retry, onRetry } = this.settings;
    const budget = new RetryBudget(retry);
    const scope = new Scope(outer);
    try {
      for (;;) {
        try {
          return await this.#readJson<T>(call, scope.signal);
        } catch (error) {
          if (!isTransient(error)) throw error;
          const delayMs = budget.next(askedToWaitMs(error));
          if (delayMs === undefined) throw error;
          onRetry?.({ attempt: budget.attempts, delayMs, error });
          await sleep(delayMs, scope.signal);
        }
      }
    } finally {
      scope.close();
    }
  }

  async #readJson<T>(call: Call, signal: AbortSignal): Promise<T> {
    const { response, close } = await this.send(call, signal);
    const { maxResponseBytes, requestTimeoutMs } = this.settings;
    const patience = new Scope(signal);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      patience.close();
    }, requestTimeoutMs);
    try {
      const text = await readText(response.body, maxResponseBytes, patience.signal);
      return parseJson(text, response) as T;
    } catch (error) {
      throw classify(error, signal, timedOut);
    } finally {
      clearTimeout(timer);
      patience.close();
      close();
    }
  }

  async #fetch(call: Call, signal: AbortSignal): Promise<Response> {
    const { fetch } = this.settings;
    const init: RequestInit = {
      method: call.method,
      headers: headersOf(await abortable(ownHeaders(this.settings), signal), call),
      signal,
      cache: "no-store",
      // The gateway never redirects.
      // Following a redirect would send the caller's credentials to another host.
      redirect: "manual",
    };
    if (call.body !== undefined) init.body = toJson(call.body);
    const answer = fetch(this.#url(call), init);
    // A custom fetch may ignore the signal and answer after the abort:
    // release the body that nobody will read.
    answer.then((late) => (signal.aborted ? late.body?.cancel() : undefined)).catch(ignore);
    return await abortable(answer, signal);
  }

  #url({ path, query = {} }: Call): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    const tail = search.size > 0 ? `?${search}` : "";
    return `${this.settings.baseUrl}/api/v1${path}${tail}`;
  }
}

async function ownHeaders({ headers, token }: Settings): Promise<Readonly<Record<string, string>>> {
  const own = await obtained(headers, "headers");
  return token === undefined ? own : { ...own, authorization: `Bearer ${await obtained(token, "token")}` };
}

async function obtained<T extends object | string>(
  source: T | (() => T | Promise<T>),
  what: string,
): Promise<T> {
  try {
    return typeof source === "function" ? await source() : source;
  } catch (cause) {
    throw new InterlockError("invalid_argument", `The ${what} could not be obtained.`, { cause });
  }
}

function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw invalidArgument("The request cannot be written as JSON.");
  }
}

function headersOf(own: Readonly<Record<string, string>>, call: Call): Headers {
  try {
    const headers = new Headers(own);
    headers.set("accept", "application/json");
    if (call.body !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    return headers;
  } catch {
    throw invalidArgument("A header is not valid.");
  }
}

/**
 * Maps a failure to an error of this package.
 * Checks the caller's abort first, because an abort causes other failures.
 */
export function classify(error: unknown, signal: AbortSignal, timedOut = false): InterlockError {
  if (signal.aborted) return new AbortedError(signal.reason);
  if (timedOut) return new ConnectionError("timeout", "The gateway did not answer in time.");
  if (error instanceof InterlockError) return error;
  return new ConnectionError("connection_failed", "The connection to the gateway failed.", error);
}

async function apiError(response: Response, signal: AbortSignal): Promise<ApiError> {
  const { status, headers } = response;
  const text = await readText(response.body, MAX_ERROR_BYTES, signal).catch(() => "");
  checkAborted(signal);
  const body = errorBodyOf(text);
  const facts = {
    status,
    requestId: body?.request_id ?? headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(headers.get("retry-after")),
  };
  if (!body) {
    // A proxy answered, not the gateway. These statuses say that the gateway is unreachable or busy for now.
    const retryable = [429, 502, 503, 504].includes(status);
    return new ApiError("http_error", `The answer has the status ${status}.`, { ...facts, retryable });
  }
  const { error, code, retryable, request_id: _, ...details } = body;
  return new ApiError(code, error, { ...facts, retryable, details });
}

function errorBodyOf(text: string): (ErrorBody & Record<string, unknown>) | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody & Record<string, unknown> {
  if (typeof body !== "object" || body === null) return false;
  if (!("error" in body && "code" in body && "retryable" in body)) return false;
  const { error, code, retryable } = body;
  return typeof error === "string" && typeof code === "string" && typeof retryable === "boolean";
}

function parseJson(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InterlockError("response_invalid", "The answer is not JSON.", {
      status: response.status,
      requestId: response.headers.get("x-request-id") ?? undefined,
    });
  }
}

/**
 * Whether the client may retry the same request by itself: there was no answer, the gateway refused it for
 * now, or an earlier attempt of it is still running. Other errors are the caller's decision, even if they are
 * `retryable`.
 */
export function isTransient(error: unknown): error is InterlockError {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  if (error.code === "http_error") return error.retryable;
  return error.status === 429 || error.status === 503 || error.code === "idempotency_in_progress";
}

export function askedToWaitMs(error: InterlockError): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}
