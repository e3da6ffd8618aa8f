import type { TraceContext } from "@interlock/contracts";
import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";
import { ERROR_TYPE } from "./names.ts";

/** How work came to its end. */
export type EndedAs<T> = { result: T } | { error: unknown };

/** A span under way; as a trace context, what is done for it belongs below it. */
export class OpenSpan implements TraceContext {
  /** The library's own. */
  readonly span: Span;
  #traceparent: string | undefined;

  constructor(span: Span) {
    this.span = span;
  }

  /** Whether it is exported when it ends. Nothing below it is where it is not. */
  get isRecording(): boolean {
    return this.span.isRecording();
  }

  get traceparent(): string {
    if (this.#traceparent === undefined) {
      const { traceId, spanId, traceFlags } = this.span.spanContext();
      this.#traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    }
    return this.#traceparent;
  }

  get tracestate(): string | undefined {
    return this.span.spanContext().traceState?.serialize() || undefined;
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  /** @param code stable, never a message: that may quote a value */
  fail(code: string): void {
    this.span.setAttribute(ERROR_TYPE, code);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** @param at milliseconds since the epoch; absent: now */
  end(at?: number): void {
    this.span.end(at);
  }

  /** Ends when the work does, as failed where that rejects. @param codeOf names the failure of a result or of what was thrown */
  async around<T>(work: Promise<T>, codeOf: (ended: EndedAs<T>) => string | undefined): Promise<T> {
    try {
      const result = await work;
      this.#failedAs(codeOf({ result }));
      return result;
    } catch (error) {
      this.#failedAs(codeOf({ error }));
      throw error;
    } finally {
      this.end();
    }
  }

  #failedAs(code: string | undefined): void {
    if (code !== undefined) this.fail(code);
  }
}
