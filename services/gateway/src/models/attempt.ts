import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TraceContext } from "@interlock/contracts";
import type { ModelSettings } from "../mesh/index.ts";
import { Deadlines } from "./deadlines.ts";
import { AttemptFailure } from "./failure.ts";
import { callOptions, finishOf, hasEnded, type Question } from "./sdk-prompt.ts";
import type { FinishReason, ModelToolCall } from "./types.ts";
import type { Wire } from "./wire.ts";

/** A part of an answer that may be passed on at once. */
export type Piece = { type: "text"; text: string } | { type: "tool_call"; call: ModelToolCall };

/** What a model has said so far, and at the end of an attempt all of it. */
export type Said = {
  text: string;
  /** Reasoning text, which is no part of the answer; for estimates of usage. */
  thought: string;
  toolCalls: ModelToolCall[];
  finish?: FinishReason;
  usage?: LanguageModelV4Usage;
  firstTokenMs?: number;
};

export type AttemptParts = {
  question: Question;
  settings: ModelSettings;
  signal: AbortSignal | undefined;
  /** Where the request belongs. */
  trace: TraceContext;
  /** Is written to while the attempt goes on, so that what was said before a failure is known. */
  said: Said;
};

/** How one attempt is made: for one request to a model, within its own deadlines. */
export interface Exchange {
  readonly requestBytes: number;
  /** Asks for the whole answer at once, and yields nothing. @throws AttemptFailure */
  whole(parts: AttemptParts): AsyncGenerator<Piece, void>;
  /** Yields what may be passed on. @throws AttemptFailure */
  streamed(parts: AttemptParts): AsyncGenerator<Piece, void>;
}

/** By a provider's library. */
export class LibraryExchange implements Exchange {
  readonly #model: LanguageModelV4;
  readonly #wire: Wire;

  constructor(model: LanguageModelV4, wire: Wire) {
    this.#model = model;
    this.#wire = wire;
  }

  get requestBytes(): number {
    return this.#wire.requestBytes;
  }

  whole(parts: AttemptParts): AsyncGenerator<Piece, void> {
    return askWhole({ ...parts, model: this.#model, wire: this.#wire });
  }

  streamed(parts: AttemptParts): AsyncGenerator<Piece, void> {
    return askStreamed({ ...parts, model: this.#model, wire: this.#wire });
  }
}

type LibraryParts = AttemptParts & { model: LanguageModelV4; wire: Wire };

async function* askWhole(parts: LibraryParts): AsyncGenerator<Piece, void> {
  const { model, wire, question, settings, said } = parts;
  const limits = new Deadlines(parts);
  try {
    const answer = await limits.within(
      model.doGenerate(callOptions(question, settings, limits.signal, parts.trace)),
    );
    said.usage = answer.usage;
    for (const part of answer.content) {
      if (part.type === "text") said.text += part.text;
      else if (part.type === "reasoning") said.thought += part.text;
      else if (part.type === "tool-call") said.toolCalls.push(toolCallOf(part));
    }
    if (!wire.isComplete || !hasEnded(answer.finishReason)) throw new AttemptFailure("truncated");
    said.finish = finishOf(answer.finishReason);
    refuseEmpty(said);
  } catch (error) {
    throw limits.failureOf(error);
  } finally {
    limits.end();
  }
}

async function* askStreamed(parts: LibraryParts): AsyncGenerator<Piece, void> {
  const { model, wire, question, settings, said } = parts;
  const limits = new Deadlines(parts);
  limits.expectFirstToken(settings.firstTokenMs);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const { stream } = await limits.within(
      model.doStream(callOptions(question, settings, limits.signal, parts.trace)),
    );
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await limits.within(reader.read());
      if (done) break;
      const piece = take(value, said, wire, limits);
      if (piece) yield piece;
    }
    if (!wire.isComplete || said.finish === undefined) throw new AttemptFailure("truncated");
    refuseEmpty(said);
  } catch (error) {
    throw limits.failureOf(error);
  } finally {
    limits.end();
    reader?.cancel().catch(() => undefined);
  }
}

/** @throws AttemptFailure for a part that means that there is no answer */
function take(part: LanguageModelV4StreamPart, said: Said, wire: Wire, limits: Deadlines): Piece | undefined {
  switch (part.type) {
    case "text-delta":
      if (part.delta === "") return undefined;
      said.firstTokenMs ??= limits.firstToken();
      said.text += part.delta;
      return { type: "text", text: part.delta };
    case "reasoning-delta":
      if (part.delta !== "") said.firstTokenMs ??= limits.firstToken();
      said.thought += part.delta;
      return undefined;
    case "tool-input-start":
      said.firstTokenMs ??= limits.firstToken();
      return undefined;
    case "tool-call": {
      const call = toolCallOf(part);
      said.toolCalls.push(call);
      return { type: "tool_call", call };
    }
    case "error":
      throw wire.failure();
    case "finish":
      said.usage = part.usage;
      if (!hasEnded(part.finishReason)) throw new AttemptFailure("truncated");
      said.finish = finishOf(part.finishReason);
      return undefined;
    default:
      return undefined;
  }
}

function toolCallOf(part: { toolCallId: string; toolName: string; input: string }): ModelToolCall {
  try {
    return { id: part.toolCallId, name: part.toolName, input: JSON.parse(part.input || "{}") };
  } catch {
    throw new AttemptFailure("invalid_output");
  }
}

export function refuseEmpty({ text, toolCalls }: Said): void {
  if (text.trim() === "" && toolCalls.length === 0) throw new AttemptFailure("empty");
}
