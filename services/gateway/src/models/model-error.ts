import { GatewayError } from "../errors.ts";
import type { Attempt } from "./types.ts";

/** A call that failed, or whose answer was interrupted. */
export class ModelError extends GatewayError {
  readonly attempts: readonly Attempt[];

  constructor(
    code: "AGT_002" | "model_interrupted" | "model_refused" | "model_output_invalid" | "cancelled",
    attempts: readonly Attempt[],
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    const { retryAfterMs, cause } = options;
    super(code, undefined, {
      cause,
      ...(retryAfterMs === undefined
        ? {}
        : { headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } }),
    });
    this.attempts = attempts;
  }
}
