import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { Inputs, Request } from "./reply.ts";

/** Passes on what a gateway sends to an agent, and keeps the tasks that it asks for. */
export class Recorder {
  readonly requests: Request[] = [];
  readonly #close: () => Promise<void>;

  private constructor(close: () => Promise<void>) {
    this.#close = close;
  }

  /** @param links the port to listen at for each agent, and the agent's own */
  static async start(
    links: readonly { readonly at: number; readonly to: number }[],
    host: string,
  ): Promise<Recorder> {
    const servers = links.map(({ at, to }) => {
      const server = createServer((from, back) => recorder.#pass(from, back, { host, port: to }));
      return { server, at };
    });
    const recorder = new Recorder(async () => {
      await Promise.all(
        servers.map(({ server }) => {
          server.closeAllConnections();
          server.close();
          return once(server, "close");
        }),
      );
    });
    await Promise.all(servers.map(({ server, at }) => once(server.listen(at, host), "listening")));
    return recorder;
  }

  of(run: string): Request[] {
    return this.requests.filter((request) => request.run === run);
  }

  async close(): Promise<void> {
    await this.#close();
  }

  #pass(from: IncomingMessage, back: ServerResponse, to: { host: string; port: number }): void {
    const on = forward({ ...to, method: from.method, path: from.url, headers: from.headers }, (answer) => {
      back.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(back);
      answer.on("error", () => back.destroy());
    });
    on.on("error", () => back.destroy());
    back.on("close", () => on.destroy());
    if (from.method === "POST") this.#keep(from);
    from.pipe(on);
  }

  #keep(from: IncomingMessage): void {
    const parts: Buffer[] = [];
    from.on("data", (part: Buffer) => parts.push(part));
    from.on("end", () => {
      const { task_type: task, workflow_id: run = "", inputs = {} } = bodyOf(Buffer.concat(parts));
      if (task !== undefined) this.requests.push({ run, task, inputs });
    });
  }
}

function bodyOf(bytes: Buffer): { task_type?: string; workflow_id?: string; inputs?: Inputs } {
  try {
    return Object(JSON.parse(bytes.toString("utf8")));
  } catch {
    return {};
  }
}
