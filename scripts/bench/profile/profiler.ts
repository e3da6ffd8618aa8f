import { setTimeout as delay } from "node:timers/promises";

/** As V8 writes it, as far as it is read here. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
};

/** Profiles another Node process over its inspector, for exactly as long as the load is on it. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result, error } = JSON.parse(String(data));
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error.message));
    });
    socket.addEventListener("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the profiled process is gone"));
    });
  }

  /** @param port that the process was told with `--inspect=127.0.0.1:<port>` */
  static async connect(port: number): Promise<Profiler> {
    const [target] = (await askUntilThere(`http://127.0.0.1:${port}/json/list`)) as {
      webSocketDebuggerUrl: string;
    }[];
    if (!target) throw new Error("nothing to profile");
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    const profiler = new Profiler(socket);
    await profiler.#call("Profiler.enable");
    await profiler.#call("Profiler.setSamplingInterval", { interval: 500 });
    return profiler;
  }

  async start(): Promise<void> {
    await this.#call("Profiler.start");
  }

  async stop(): Promise<CpuProfile> {
    const { profile } = (await this.#call("Profiler.stop")) as { profile: CpuProfile };
    return profile;
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object = {}): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    const id = ++this.#calls;
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return waiting.promise;
  }
}

async function askUntilThere(url: string): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      const response = await fetch(url);
      return await response.json();
    } catch (error) {
      if (tries === 50) throw error;
      await delay(100);
    }
  }
}
