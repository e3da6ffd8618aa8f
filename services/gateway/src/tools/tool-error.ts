/** What can keep a call from having a result. A tool that ran and reports a failure has one, with `isError`. */
const MESSAGES = {
  unknown_tool: "There is no such tool.",
  invalid_arguments: "The arguments are not what the tool's schema says.",
  acts: "The tool changes something, and nobody has let it.",
  unavailable: "The tool's server is not available.",
  overloaded: "The tool is called as often as it may be.",
  timeout: "The tool did not answer in time.",
  refused: "The tool's server refused the call.",
  invalid_result: "The tool's result is not what it may be.",
  result_too_large: "The tool's result is larger than it may be.",
} as const;

export type ToolErrorCode = keyof typeof MESSAGES;

const RETRYABLE: ReadonlySet<ToolErrorCode> = new Set(["unavailable", "overloaded", "timeout"]);

/** A call without a result. The message holds no value of the arguments or of the result. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  readonly retryable: boolean;
  /** Milliseconds after which it may go. */
  readonly retryMs: number | undefined;

  /** @param detail in words of the tool's schema, or of this room */
  constructor(code: ToolErrorCode, detail?: string, options: { cause?: unknown; retryMs?: number } = {}) {
    super(detail === undefined ? MESSAGES[code] : `${MESSAGES[code].slice(0, -1)}: ${detail}.`, {
      cause: options.cause,
    });
    this.name = "ToolError";
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    this.retryMs = options.retryMs;
  }
}

/** The server has forgotten the session, and done nothing of what it was asked. */
export class SessionGone extends ToolError {
  constructor(cause: unknown) {
    super("unavailable", undefined, { cause });
    this.name = "SessionGone";
  }
}
