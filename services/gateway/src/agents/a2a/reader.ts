import { Defect } from "../defect.ts";
import { createEventDecoder, type EventDecoder } from "../event-decoder.ts";
import { asObject, isObject, type JsonObject, parseObject } from "../json.ts";
import { presentable, type Verdict } from "../judge.ts";
import type { AgentEvent } from "../types.ts";

export type A2aReaderOptions = {
  requestId: string;
  isDialogue: boolean;
  isStream: boolean;
  maxEventBytes: number;
  maxResponseBytes: number;
  onEvent: (event: AgentEvent) => void;
  /** Told which task the agent has begun. */
  onTask: (id: string) => void;
};

type Part = { text?: unknown; data?: unknown; url?: unknown; filename?: unknown; mediaType?: unknown };

/** How a task ends that gave no answer, in the codes of the mesh's own agents; one that is not among those says that the inputs are at fault. */
const FAILURES: Readonly<Record<string, string>> = {
  TASK_STATE_FAILED: "INTERNAL",
  TASK_STATE_CANCELED: "CANCELLED",
  TASK_STATE_REJECTED: "TASK_REJECTED",
  TASK_STATE_AUTH_REQUIRED: "UNAUTHORIZED",
};
/** Errors of JSON-RPC and of A2A that say the same of the request. */
const WRONG_REQUESTS: ReadonlySet<unknown> = new Set([-32600, -32602, -32005]);

/**
 * Reads what an A2A agent answers, as a stream of JSON-RPC or as one response. An answer without a message, or without a task that has come
 * to rest, is none, however its stream ends. `push` and `end` throw a Defect.
 */
export class A2aReader {
  readonly #options: A2aReaderOptions;
  readonly #decoder: EventDecoder | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Parts of the answer so far, by artifact. */
  readonly #artifacts = new Map<string, Part[]>();
  #taskId: string | undefined;
  #contextId: string | undefined;
  #verdict: Verdict | undefined;

  constructor(options: A2aReaderOptions) {
    this.#options = options;
    if (options.isStream)
      this.#decoder = createEventDecoder(options.maxEventBytes, (_, json) => this.#response(json));
  }

  get hasTerminal(): boolean {
    return this.#verdict !== undefined;
  }

  push(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#options.maxResponseBytes) throw new Defect("response_too_large");
    if (this.#decoder) this.#decoder.push(chunk);
    else this.#chunks.push(chunk);
  }

  end(): Verdict {
    if (this.#decoder) this.#decoder.end();
    else this.#response(Buffer.concat(this.#chunks));
    if (this.#verdict === undefined) throw new Defect("no_terminal");
    return this.#verdict;
  }

  #response(json: string | Buffer): void {
    if (this.#verdict !== undefined) throw new Defect("after_terminal");
    const { id, result, error } = parseObject(json);
    if (isObject(error)) {
      const { code, message } = error;
      this.#fail(
        WRONG_REQUESTS.has(code) ? "INVALID_REQUEST" : "INTERNAL",
        typeof message === "string" ? message : "",
      );
      return;
    }
    if (id !== this.#options.requestId) throw new Defect("wrong_request_id");
    this.#result(asObject(result));
  }

  #result({ task, message, statusUpdate, artifactUpdate }: JsonObject): void {
    if (isObject(message)) {
      this.#know(message);
      this.#succeed(partsIn(message), true);
    } else if (isObject(artifactUpdate)) this.#artifact(artifactUpdate);
    else if (isObject(statusUpdate)) this.#status(statusUpdate);
    else if (isObject(task)) {
      this.#know({ taskId: task.id, contextId: task.contextId });
      for (const artifact of Array.isArray(task.artifacts) ? task.artifacts : [])
        this.#keep(asObject(artifact), false);
      this.#status({ status: task.status });
    } else throw new Defect("not_contract");
  }

  #know({ taskId, contextId }: JsonObject): void {
    if (typeof contextId === "string" && contextId !== "") this.#contextId = contextId;
    if (typeof taskId !== "string" || taskId === "" || taskId === this.#taskId) return;
    this.#taskId = taskId;
    this.#options.onTask(taskId);
  }

  #artifact({ artifact, append, ...about }: JsonObject): void {
    this.#know(about);
    for (const { text } of this.#keep(asObject(artifact), append === true))
      if (typeof text === "string") this.#tell("token", { text });
  }

  #keep(artifact: JsonObject, append: boolean): Part[] {
    const id = String(artifact.artifactId);
    const parts = partsIn(artifact);
    this.#artifacts.set(id, [...(append ? (this.#artifacts.get(id) ?? []) : []), ...parts]);
    return parts;
  }

  #status({ status, ...about }: JsonObject): void {
    this.#know(about);
    const { state, message } = asObject(status);
    const said = isObject(message) ? partsIn(message) : [];
    if (typeof state !== "string") throw new Defect("missing_status");
    const failure = FAILURES[state];
    if (failure !== undefined) this.#fail(failure, textOf(said));
    else if (state === "TASK_STATE_COMPLETED") {
      const made = [...this.#artifacts.values()].flat();
      this.#succeed(made.length > 0 ? made : said, true);
    } else if (state === "TASK_STATE_INPUT_REQUIRED") {
      if (this.#options.isDialogue) this.#succeed(said, false);
      // Nobody of a flow can be asked.
      else this.#fail("INPUT_REQUIRED", textOf(said));
    } else if (said.length > 0) this.#tell("progress", { message: textOf(said) });
  }

  #succeed(parts: readonly Part[], isOver: boolean): void {
    const text = textOf(parts);
    const data = parts.flatMap((part) => (part.data === undefined ? [] : [part.data]));
    const files = parts.flatMap(({ url, filename, mediaType }) =>
      typeof url === "string" ? [{ url, filename, media_type: mediaType }] : [],
    );
    const warnings = parts.some((part) => Object.hasOwn(part, "raw")) ? ["A file was left out."] : [];
    if (this.#options.isDialogue) {
      if (text === "") throw new Defect("no_outputs");
      const ids = {
        ...(this.#contextId === undefined ? {} : { context_id: this.#contextId }),
        ...(isOver || this.#taskId === undefined ? {} : { task_id: this.#taskId }),
      };
      const outputs = { state: ids, message: text, next_action: isOver ? "DONE" : "ASK" };
      this.#verdict = { ok: true, answer: { outputs, warnings } };
      return;
    }
    const outputs = {
      text,
      ...(data.length > 0 ? { data: data.length === 1 ? data[0] : data } : {}),
      ...(files.length > 0 ? { files } : {}),
    };
    this.#verdict = { ok: true, answer: { outputs, warnings } };
  }

  #fail(code: string, message: string): void {
    const said = message === "" ? "The agent gave no reason." : message;
    this.#verdict = { ok: false, error: presentable({ code, message: said }), usage: undefined };
  }

  #tell(type: "token" | "progress", data: JsonObject): void {
    this.#options.onEvent({ type, data, json: JSON.stringify(data) });
  }
}

function partsIn({ parts }: JsonObject): Part[] {
  if (!Array.isArray(parts)) throw new Defect("not_contract");
  return parts.map(asObject);
}

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("");
