import { connect, type Socket } from "node:net";

/** ASCII only: lengths are counted in characters. */
export type Request = {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly body?: string;
  /** Whose request it is; without one it is of whoever works on this machine. */
  readonly token?: string | undefined;
  /** Further fields, each a line with its end. */
  readonly fields?: string;
};

type Exchange = { onBody(text: string): void; resolve(status: number): void; reject(error: Error): void };

/**
 * A minimal HTTP client: a keep-alive connection that carries one exchange at a time.
 *
 * A library would change the figures. The load generator must not cost more CPU than the bare agent (14 µs a request), or "direct" would
 * measure the load generator: a request costs 14 µs with this client, 20 µs with undici and 25 to 35 µs with autocannon. It supports only
 * what the measured servers send: a body with a content length, or a chunked one.
 */
export class Connection {
  readonly #url: URL;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  #status = 0;
  /** How the current response delimits its body; undefined until its head has been read. */
  #framing: "length" | "chunked" | undefined;
  #left = 0;
  #rest = "";

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Passes on the body as it arrives. @returns the status, once the body is complete */
  send(
    { path, method = "POST", body = "", token, fields = "" }: Request,
    onBody: (text: string) => void,
  ): Promise<number> {
    if (this.#exchange) throw new Error("an exchange is under way");
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#exchange = { onBody, resolve, reject };
    this.#socket ??= this.#connect();
    const content = body === "" ? "" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    const bearer = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\n${bearer}${fields}${content}\r\n${body}`,
      "latin1",
    );
    return promise;
  }

  /** Buffers the body. */
  async exchange(request: Request): Promise<{ readonly status: number; readonly text: string }> {
    let text = "";
    const status = await this.send(request, (part) => {
      text += part;
    });
    return { status, text };
  }

  /** A pending exchange never settles. */
  close(): void {
    this.#exchange = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#framing = undefined;
    this.#rest = "";
  }

  #connect(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true });
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      if (this.#socket === socket) this.#read(this.#rest + text);
    });
    const fail = (error: Error) => {
      if (this.#socket !== socket) return;
      const exchange = this.#exchange;
      this.close();
      exchange?.reject(error);
    };
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("the connection was closed")));
    return socket;
  }

  #read(data: string): void {
    let at = 0;
    while (at < data.length && this.#exchange) {
      const next = this.#step(data, at, this.#exchange);
      if (next < 0) break;
      at = next;
    }
    this.#rest = data.slice(at);
  }

  /** Parses the head, or the next part of the body. @returns the index behind it, or -1 if it is incomplete */
  #step(data: string, at: number, { onBody }: Exchange): number {
    if (this.#framing === undefined) {
      const end = data.indexOf("\r\n\r\n", at);
      if (end < 0) return -1;
      this.#readHead(data.slice(at, end).toLowerCase());
      return end + 4;
    }
    if (this.#framing === "length") {
      const end = Math.min(data.length, at + this.#left);
      this.#left -= end - at;
      onBody(data.slice(at, end));
      if (this.#left === 0) this.#end();
      return end;
    }
    const line = data.indexOf("\r\n", at);
    if (line < 0) return -1;
    const size = Number.parseInt(data.slice(at, line), 16);
    const end = line + 2 + size;
    if (end + 2 > data.length) return -1;
    if (size > 0) onBody(data.slice(line + 2, end));
    else this.#end();
    return end + 2;
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    this.#left = Number(/\r\ncontent-length: *(\d+)/.exec(head)?.[1] ?? 0);
    this.#framing = head.includes("\r\ntransfer-encoding: chunked") ? "chunked" : "length";
    if (this.#framing === "length" && this.#left === 0) this.#end();
  }

  #end(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#framing = undefined;
    exchange?.resolve(this.#status);
  }
}
