/** How to react to an attempt that failed before any of its answer was passed on. */
type Rule = {
  /** Worth another attempt at the same model. */
  retry: boolean;
  /** Another model may answer. */
  fallback: boolean;
  /** Counts for the model's circuit breaker. */
  unhealthy: boolean;
  /** Whether the provider may have generated tokens: usage that it does not report is then estimated. */
  worked: boolean;
};

/** The table of docs/models.md. */
export const FAILURES = {
  connection: { retry: true, fallback: true, unhealthy: true, worked: false },
  request_timeout: { retry: true, fallback: true, unhealthy: true, worked: false },
  rate_limited: { retry: true, fallback: true, unhealthy: true, worked: false },
  server_error: { retry: true, fallback: true, unhealthy: true, worked: false },
  // The same model would probably time out again.
  timeout: { retry: false, fallback: true, unhealthy: true, worked: true },
  truncated: { retry: true, fallback: true, unhealthy: true, worked: true },
  empty: { retry: true, fallback: true, unhealthy: true, worked: true },
  // Another model would be refused as well, or would hide that this one is misconfigured.
  refused: { retry: false, fallback: false, unhealthy: false, worked: false },
  unauthorized: { retry: false, fallback: false, unhealthy: false, worked: false },
  invalid_output: { retry: false, fallback: false, unhealthy: false, worked: true },
  cancelled: { retry: false, fallback: false, unhealthy: false, worked: true },
  // No request was sent.
  no_key: { retry: false, fallback: true, unhealthy: false, worked: false },
  breaker_open: { retry: false, fallback: true, unhealthy: false, worked: false },
  budget_spent: { retry: false, fallback: true, unhealthy: false, worked: false },
} as const satisfies Record<string, Rule>;

export type FailureCode = keyof typeof FAILURES;

/** Why one attempt failed. Its message holds nothing that the provider said. */
export class AttemptFailure extends Error {
  override readonly name = "AttemptFailure";
  readonly code: FailureCode;
  /** Milliseconds for which the provider asks not to be called (Retry-After). */
  readonly retryAfterMs: number | undefined;

  constructor(code: FailureCode, retryAfterMs?: number) {
    super(`the attempt failed: ${code}`);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  get rule(): Rule {
    return FAILURES[this.code];
  }
}

/** What a status of the provider's says. */
export function codeOfStatus(status: number): FailureCode {
  if (status === 408) return "request_timeout";
  if (status === 429) return "rate_limited";
  if (status >= 500) return "server_error";
  return status === 401 || status === 403 || status === 404 ? "unauthorized" : "refused";
}
