import { isUtf8 } from "node:buffer";
import type { AgentError } from "@interlock/contracts";
import { Defect } from "./defect.ts";
import { createEventDecoder, type EventDecoder } from "./event-decoder.ts";
import { isObject, type JsonObject, type LargeReader, parse, parseAnswer, parseObject } from "./json.ts";
import { type Expected, judgeRefusal, judgeResult, judgeTerminal, type Verdict } from "./judge.ts";
import type { AgentEvent } from "./types.ts";

const TERMINALS: ReadonlySet<string> = new Set(["final", "complete", "done"]);
const REFUSAL_BYTES = 64 * 1024;

/** Reads a `text/event-stream` body. `push` and `end` throw a Defect. */
export class StreamReader {
  readonly #expected: Expected;
  readonly #onEvent: (event: AgentEvent) => void;
  readonly #decoder: EventDecoder;
  readonly #large: LargeReader | undefined;
  #verdict: Verdict | Promise<Verdict> | undefined;

  constructor(
    expected: Expected,
    { maxEventBytes, large }: { maxEventBytes: number; large: LargeReader | undefined },
    onEvent: (event: AgentEvent) => void,
  ) {
    this.#expected = expected;
    this.#large = large;
    this.#onEvent = onEvent;
    this.#decoder = createEventDecoder(maxEventBytes, (name, json) => this.#read(name, json));
  }

  /** Whether the terminal event was read. Its verdict counts only once the stream has ended. */
  get hasTerminal(): boolean {
    return this.#verdict !== undefined;
  }

  push(chunk: Buffer): void {
    this.#decoder.push(chunk);
  }

  /** A promise where the terminal event is large. */
  end(): Verdict | Promise<Verdict> {
    this.#decoder.end();
    if (this.#verdict === undefined) throw new Defect("no_terminal");
    return this.#verdict;
  }

  #read(type: string, json: string | Buffer): void {
    const terminal = TERMINALS.has(type);
    if (this.#verdict !== undefined) throw new Defect(terminal ? "two_terminals" : "after_terminal");
    if (terminal) {
      this.#verdict = judged(parseAnswer(json, this.#large), (data) => judgeTerminal(data, this.#expected));
      return;
    }
    const data = parse(json);
    if (type === "started") this.#checkStarted(data);
    this.#onEvent(eventOf(type, data, json.toString()));
  }

  /** Only the terminal event must carry the ids. In `started` they may be missing, but not be those of another run. */
  #checkStarted(data: unknown): void {
    if (!isObject(data)) return;
    const { request_id, task_type } = data;
    const { requestId, taskType } = this.#expected;
    if (request_id !== undefined && request_id !== requestId) throw new Defect("wrong_request_id");
    if (task_type !== undefined && task_type !== taskType) throw new Defect("wrong_task_type");
  }
}

function eventOf(name: string, data: unknown, json: string): AgentEvent {
  if (name === "token" && isObject(data)) return { type: name, data, json };
  return { type: name === "started" ? name : "progress", data, json };
}

/** Reads the JSON object of a sync answer. The constructor, `push` and `end` throw a Defect. */
export class ResultReader {
  readonly #expected: Expected;
  readonly #limit: number;
  readonly #large: LargeReader | undefined;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    expected: Expected,
    { limit, large }: { limit: number; large: LargeReader | undefined },
    announced: number,
  ) {
    if (announced > limit) throw new Defect("response_too_large");
    this.#expected = expected;
    this.#limit = limit;
    this.#large = large;
  }

  push(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw new Defect("response_too_large");
    this.#chunks.push(chunk);
  }

  /** A promise where the answer is large. */
  end(): Verdict | Promise<Verdict> {
    const body = Buffer.concat(this.#chunks);
    if (!isUtf8(body)) throw new Defect("invalid_utf8");
    return judged(parseAnswer(body, this.#large), (answer) => judgeResult(answer, this.#expected));
  }
}

/** Judges an answer when it has been read. */
function judged(
  answer: JsonObject | Promise<JsonObject>,
  judge: (answer: JsonObject) => Verdict,
): Verdict | Promise<Verdict> {
  if (!(answer instanceof Promise)) return judge(answer);
  const verdict = answer.then(judge);
  // If the stream fails in another way, nobody awaits the verdict: its rejection must not end the process.
  verdict.catch(() => undefined);
  return verdict;
}

/** Reads the body of an error status, up to a small limit. */
export class RefusalReader {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Returns false once the body exceeds the limit: the rest need not be read. */
  push(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > REFUSAL_BYTES) this.#chunks = [];
    else this.#chunks.push(chunk);
    return this.#size <= REFUSAL_BYTES;
  }

  /** The agent's error, if the body has the form that the contract describes. */
  end(): AgentError | undefined {
    try {
      return judgeRefusal(parseObject(Buffer.concat(this.#chunks)));
    } catch (error) {
      if (error instanceof Defect) return undefined;
      throw error;
    }
  }
}

export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream[\t ]*(?:;|$)/i.test(contentType);
}

export function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json[\t ]*(?:;|$)/i.test(contentType);
}
