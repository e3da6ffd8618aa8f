import { StringDecoder } from "node:string_decoder";
import { type Dispatcher, request } from "undici";
import type { ModelSpec } from "../mesh/index.ts";
import { traceHeaders } from "../telemetry/index.ts";
import { type AttemptParts, type Piece, refuseEmpty, type Said } from "./attempt.ts";
import { type Completion, completionIn, requestOf, ToolCalls } from "./chat-completions.ts";
import { Deadlines } from "./deadlines.ts";
import { AttemptFailure, codeOfStatus } from "./failure.ts";
import { type Authorize, MOST_BYTES, retryAfter } from "./wire.ts";

/**
 * An attempt at a server that speaks OpenAI's format, without a library between: its streams of Web streams and its schemas took three
 * quarters of the time of a request.
 */
export class Direct {
  requestBytes = 0;
  readonly #spec: ModelSpec;
  readonly #dispatcher: Dispatcher;
  readonly #authorize: Authorize;
  #status: number | undefined;
  #retryAfterMs: number | undefined;
  #isComplete = false;

  constructor(spec: ModelSpec, deps: { dispatcher: Dispatcher; authorize: Authorize }) {
    this.#spec = spec;
    this.#dispatcher = deps.dispatcher;
    this.#authorize = deps.authorize;
  }

  failure(): AttemptFailure {
    if (this.#status === undefined) return new AttemptFailure("connection");
    if (this.#status < 200 || this.#status >= 300)
      return new AttemptFailure(codeOfStatus(this.#status), this.#retryAfterMs);
    return new AttemptFailure(this.#isComplete ? "server_error" : "truncated");
  }

  /** The whole answer at once; yields nothing. @throws AttemptFailure */
  async *whole(parts: AttemptParts): AsyncGenerator<Piece, void> {
    const { said } = parts;
    const limits = new Deadlines({ ...parts, wire: this });
    try {
      const body = await this.#send(parts, limits, false);
      let text = "";
      let bytes = 0;
      const decoder = new StringDecoder("utf8");
      for await (const chunk of body) {
        bytes = added(bytes, chunk);
        text += decoder.write(chunk);
      }
      this.#isComplete = true;
      const answer = completionIn(text + decoder.end());
      if (!answer) throw this.failure();
      note(answer, said);
      if (answer.finish === undefined) throw new AttemptFailure("truncated");
      const calls = new ToolCalls();
      for (const call of answer.calls) calls.add(call);
      said.toolCalls.push(...calls.all());
      refuseEmpty(said);
    } catch (error) {
      throw limits.failureOf(error);
    } finally {
      limits.end();
    }
  }

  /** The answer as it comes: what came together is one piece. @throws AttemptFailure */
  async *streamed(parts: AttemptParts): AsyncGenerator<Piece, void> {
    const { said, settings } = parts;
    const limits = new Deadlines({ ...parts, wire: this });
    limits.expectFirstToken(settings.firstTokenMs);
    try {
      const body = await this.#send(parts, limits, true);
      const lines = new DataLines();
      const calls = new ToolCalls();
      let bytes = 0;
      for await (const chunk of body) {
        bytes = added(bytes, chunk);
        let text = "";
        try {
          for (const data of lines.in(chunk)) {
            if (data === "[DONE]") this.#isComplete = true;
            else text += this.#take(completionIn(data), { said, calls, limits });
          }
        } catch (error) {
          // Pass on what arrived before the failure.
          if (text !== "") yield { type: "text", text };
          throw error;
        }
        if (text !== "") yield { type: "text", text };
      }
      if (!this.#isComplete || said.finish === undefined) throw new AttemptFailure("truncated");
      for (const call of calls.all()) {
        said.toolCalls.push(call);
        yield { type: "tool_call", call };
      }
      refuseEmpty(said);
    } catch (error) {
      throw limits.failureOf(error);
    } finally {
      limits.end();
    }
  }

  /** @returns what it says */
  #take(
    event: Completion | undefined,
    { said, calls, limits }: { said: Said; calls: ToolCalls; limits: Deadlines },
  ): string {
    if (!event) throw this.failure();
    if (event.content !== "" || event.thought !== "" || event.calls.length > 0)
      said.firstTokenMs ??= limits.firstToken();
    for (const call of event.calls) calls.add(call);
    note(event, said);
    return event.content;
  }

  async #send(
    { question, settings, trace }: AttemptParts,
    limits: Deadlines,
    stream: boolean,
  ): Promise<AsyncIterable<Buffer>> {
    const headers = new Headers({ "content-type": "application/json" });
    await this.#authorize(headers);
    const body = requestOf(this.#spec, question, settings, stream);
    this.requestBytes = Buffer.byteLength(body);
    const answer = await request(`${this.#spec.provider.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { ...Object.fromEntries(headers), ...traceHeaders(trace) },
      body,
      signal: limits.signal,
      dispatcher: this.#dispatcher,
      // The attempt has deadlines of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#status = answer.statusCode;
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer.body;
    const after = answer.headers["retry-after"];
    this.#retryAfterMs = retryAfter(typeof after === "string" ? after : undefined);
    await answer.body.dump().catch(() => undefined);
    throw this.failure();
  }
}

/** @throws AttemptFailure for an answer that is longer than any model's */
function added(bytes: number, chunk: Buffer): number {
  const sum = bytes + chunk.length;
  if (sum > MOST_BYTES) throw new AttemptFailure("server_error");
  return sum;
}

function note({ content, thought, finish, usage }: Completion, said: Said): void {
  said.text += content;
  said.thought += thought;
  if (finish !== undefined) said.finish = finish;
  if (usage) said.usage = usage;
}

/** The `data` lines of a stream of events; each event of this format has one. */
class DataLines {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  *in(chunk: Buffer): Generator<string> {
    const text = this.#rest + this.#decoder.write(chunk);
    let at = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
      if (text.startsWith("data:", at)) {
        const data = text.slice(at + 5, end).trim();
        if (data !== "") yield data;
      }
      at = end + 1;
    }
    this.#rest = text.slice(at);
  }
}
