import { connect, type Socket } from "node:net";

/** What to send; ASCII only, so that characters are bytes. */
export type Request = {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What comes back, as it comes back. */
export type Listener = {
  data(text: string): void;
  end(status: number): void;
  error(error: Error): void;
};

/** What is read next: the head, a body of known length, a chunk's size and content, the line after the last chunk, or all there is. */
type Stage = "head" | "length" | "chunk" | "trailer" | "close";

/**
 * A kept-alive connection that carries one exchange at a time. An HTTP client of our own because the load shares a core with the agent:
 * what the client costs is what the load cannot give. It reads what our servers send, not all of HTTP.
 */
export class Connection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;
  #listener: Listener | undefined;
  #stage: Stage = "head";
  #status = 0;
  #left = 0;
  #rest = "";
  #closes = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  send(request: Request, listener: Listener): void {
    if (this.#listener) throw new Error("an exchange is under way");
    this.#listener = listener;
    this.#stage = "head";
    this.#socket ??= this.#connect();
    this.#socket.write(textOf(request, `${this.#host}:${this.#port}`), "latin1");
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#listener = undefined;
    socket?.destroy();
  }

  #connect(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      if (this.#socket === socket) this.#read(text);
    });
    let cause = new Error("the connection was closed");
    socket.on("error", (error) => {
      cause = error;
    });
    socket.on("close", () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#rest = "";
      const listener = this.#listener;
      this.#listener = undefined;
      if (this.#stage === "close") listener?.end(this.#status);
      else listener?.error(cause);
    });
    return socket;
  }

  #read(text: string): void {
    const data = this.#rest === "" ? text : this.#rest + text;
    this.#rest = "";
    let at = 0;
    while (at < data.length && this.#listener) {
      const next = this.#step(data, at, this.#listener);
      if (next < 0) {
        this.#rest = data.slice(at);
        return;
      }
      at = next;
    }
  }

  /** Reads what is next. @returns where it ends, or -1 where not all of it is there yet */
  #step(data: string, at: number, listener: Listener): number {
    switch (this.#stage) {
      case "head": {
        const end = data.indexOf("\r\n\r\n", at);
        if (end < 0) return -1;
        const empty = this.#readHead(data.slice(at, end));
        if (empty) this.#end();
        return end + 4;
      }
      case "length": {
        const end = Math.min(data.length, at + this.#left);
        this.#left -= end - at;
        listener.data(at === 0 && end === data.length ? data : data.slice(at, end));
        if (this.#left === 0) this.#end();
        return end;
      }
      case "chunk": {
        const line = data.indexOf("\r\n", at);
        if (line < 0) return -1;
        const size = Number.parseInt(data.slice(at, line), 16);
        if (size === 0) {
          this.#stage = "trailer";
          return line + 2;
        }
        const end = line + 2 + size;
        if (end + 2 > data.length) return -1;
        listener.data(data.slice(line + 2, end));
        return end + 2;
      }
      case "trailer": {
        const line = data.indexOf("\r\n", at);
        if (line < 0) return -1;
        if (line === at) this.#end();
        return line + 2;
      }
      case "close":
        listener.data(data.slice(at));
        return data.length;
    }
  }

  /** @returns whether no body follows */
  #readHead(head: string): boolean {
    const lower = head.toLowerCase();
    this.#status = Number(head.slice(9, 12));
    this.#closes = lower.includes("\r\nconnection: close");
    const length = /\r\ncontent-length: *(\d+)/.exec(lower)?.[1];
    if (length !== undefined) {
      this.#stage = "length";
      this.#left = Number(length);
      return this.#left === 0;
    }
    this.#stage = lower.includes("\r\ntransfer-encoding: chunked") ? "chunk" : "close";
    return false;
  }

  #end(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#stage = "head";
    if (this.#closes) this.close();
    listener?.end(this.#status);
  }
}

/** One exchange with its whole body. */
export function exchange(
  connection: Connection,
  request: Request,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    connection.send(request, {
      data: (part) => {
        text += part;
      },
      end: (status) => resolve({ status, text }),
      error: reject,
    });
  });
}

function textOf({ path, method = "POST", body = "", headers = {} }: Request, host: string): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  if (body !== "") head += `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return `${head}\r\n${body}`;
}
