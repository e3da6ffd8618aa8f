import type { EventSeen, StreamSeen } from "./answer.ts";
import { LeakScanner, type LeakSearch } from "./canary.ts";
import { EventStreamParser } from "./event-stream.ts";
import { JsonObserver } from "./json-seen.ts";
import { terminalOutcome } from "./outcome.ts";

const TERMINAL: ReadonlySet<string | undefined> = new Set(["final", "complete", "done"]);

/** Observes an event stream and keeps only what the rules ask for. */
export class StreamObserver {
  readonly #parser: EventStreamParser;
  readonly #json: JsonObserver;
  readonly #eventBytes: number;
  readonly #scanner: LeakScanner;
  #events = 0;
  #notJson: number | undefined;
  #first: EventSeen | undefined;
  #started: EventSeen | undefined;
  #terminal: EventSeen | undefined;
  #after: EventSeen | undefined;
  #leak: string | undefined;
  #lastMs: number;
  #longestSilenceMs = 0;

  constructor(search: LeakSearch, eventBytes: number, nowMs: number) {
    this.#json = new JsonObserver(eventBytes);
    this.#eventBytes = eventBytes;
    this.#scanner = new LeakScanner(search);
    this.#lastMs = nowMs;
    this.#parser = new EventStreamParser({
      data: (chunk, from, to) => {
        this.#json.push(chunk, from, to);
        this.#scanner.push(chunk, from, to);
      },
      dispatch: (name, dataBytes) => this.#dispatch(name, dataBytes),
    });
  }

  get terminal(): boolean {
    return this.#terminal !== undefined;
  }

  get after(): boolean {
    return this.#after !== undefined;
  }

  get largestBytes(): number {
    return this.#parser.largest;
  }

  push(bytes: Uint8Array, nowMs: number): void {
    this.#silence(nowMs);
    this.#parser.push(bytes);
  }

  end(nowMs: number): StreamSeen {
    this.#silence(nowMs);
    return {
      events: this.#events,
      notJson: this.#notJson,
      first: this.#first,
      started: this.#started,
      terminal: this.#terminal,
      after: this.#after,
      leak: this.#leak,
      pending: this.#parser.pending,
      largestBytes: this.#parser.largest,
      longestSilenceMs: this.#longestSilenceMs,
    };
  }

  /** Silence counts only until the terminal event. */
  #silence(nowMs: number): void {
    if (!this.terminal) this.#longestSilenceMs = Math.max(this.#longestSilenceMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }

  #dispatch(name: string | undefined, dataBytes: number): void {
    this.#events += 1;
    const json = this.#json.end();
    const event = { name, place: this.#events, json };
    const isTerminal = TERMINAL.has(name);
    const isError = name === "error" || (isTerminal && terminalOutcome(json) === "failed");
    if (isError) this.#leak ??= this.#scanner.found;
    this.#scanner.reset();

    // An event that is too large is not parsed, and breaks another rule.
    if (json.root === undefined && dataBytes <= this.#eventBytes) this.#notJson ??= event.place;
    if (this.#terminal !== undefined) this.#after ??= event;
    else if (isTerminal) this.#terminal = event;
    this.#first ??= event;
    if (name === "started") this.#started ??= event;
  }
}

export function isTerminalName(name: string | undefined): boolean {
  return TERMINAL.has(name);
}
