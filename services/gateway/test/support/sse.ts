import { type Ask, open } from "./http.ts";

/** One event of a stream, and the bytes it came as. */
export type Frame = { raw: string; id?: string; event?: string; data: string };

/** A reader of event streams that keeps every byte, for tests that compare streams. */
export class EventReader {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly frames: Frame[] = [];
  readonly comments: string[] = [];
  /** Milliseconds on the clock of performance.now(), one a comment. */
  readonly commentTimes: number[] = [];
  /** Other blocks: `retry:` alone. */
  readonly hints: string[] = [];
  /** Settles when the stream is over: whether it ended, rather than being cut. */
  readonly over: Promise<"ended" | "cut">;
  readonly #destroy: () => void;
  readonly #flow: { pause(): unknown; resume(): unknown };
  #rest = "";
  readonly #waiting = new Set<() => void>();

  private constructor(opened: ReturnType<typeof open>, res: Awaited<ReturnType<typeof open>["response"]>) {
    this.status = res.statusCode ?? 0;
    this.headers = res.headers;
    this.#destroy = () => opened.req.destroy();
    this.#flow = res;
    res.setEncoding("utf8");
    res.on("data", (text: string) => this.#push(text));
    opened.req.on("error", () => undefined);
    res.on("error", () => undefined);
    this.over = new Promise((resolve) => {
      res.once("close", () => {
        resolve(res.complete ? "ended" : "cut");
        this.#wake();
      });
    });
  }

  /** Opens a stream and returns once its headers are there. */
  static async open(url: string, options: Ask = {}): Promise<EventReader> {
    const opened = open(url, options);
    return new EventReader(opened, await opened.response);
  }

  /** Waits until the frames so far fulfil a condition; fails where the stream ends before. */
  async until(condition: (frames: readonly Frame[]) => boolean): Promise<void> {
    let over = false;
    void this.over.then(() => (over = true));
    while (!condition(this.frames)) {
      if (over)
        throw new Error(`the stream ended after ${this.frames.length} frames: ${this.frames.at(-1)?.raw}`);
      await this.#next();
    }
  }

  async untilComment(count: number): Promise<void> {
    while (this.comments.length < count) await this.#next();
  }

  /** Reads to the end of the stream. */
  async toEnd(): Promise<readonly Frame[]> {
    await this.over;
    return this.frames;
  }

  /** The data of all frames so far. */
  get data(): Record<string, unknown>[] {
    return this.frames.map((frame) => JSON.parse(frame.data));
  }

  /** All frames as they came, comments left out. */
  get text(): string {
    return this.frames.map((frame) => frame.raw).join("");
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#flow.pause();
  }

  resume(): void {
    this.#flow.resume();
  }

  /** Goes away without a word. */
  leave(): void {
    this.#destroy();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #push(text: string): void {
    // A large event comes in many pieces: only the new one is searched.
    const blocks = `${this.#rest.slice(-1)}${text}`.includes("\n\n");
    this.#rest += text;
    if (!blocks) return;
    const parts = this.#rest.split("\n\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) this.#block(`${part}\n\n`);
    this.#wake();
  }

  #block(raw: string): void {
    if (raw.startsWith(":")) {
      this.comments.push(raw);
      this.commentTimes.push(performance.now());
      return;
    }
    const frame: Frame = { raw, data: "" };
    for (const line of raw.split("\n")) {
      const [, name, value = ""] = /^(id|event|data): (.*)$/.exec(line) ?? [];
      if (name === "id") frame.id = value;
      else if (name === "event") frame.event = value;
      else if (name === "data") frame.data += value;
    }
    if (frame.data === "") this.hints.push(raw);
    else this.frames.push(frame);
  }
}
