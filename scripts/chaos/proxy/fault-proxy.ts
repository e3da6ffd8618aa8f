import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Link } from "./link.ts";

type Matches = (request: Buffer) => boolean;

/** What the proxy does to what passes it. */
export type Faults = {
  delayMs: number;
  /** Nothing passes, on any connection. */
  hole: boolean;
  replyDrop: { when: Matches; done: () => void } | undefined;
  replyCut: { after: number; when: Matches; done: (forwarded: Buffer) => void } | undefined;
};

/** A TCP proxy on the loopback interface that does to connections what networks do to them. */
export class FaultProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  readonly #faults: Faults;

  private constructor(server: Server, faults: Faults, links: Set<Link>) {
    this.#server = server;
    this.#faults = faults;
    this.#links = links;
    this.port = (server.address() as AddressInfo).port;
  }

  static async start(targetPort: number, host = "127.0.0.1"): Promise<FaultProxy> {
    const faults: Faults = { delayMs: 0, hole: false, replyDrop: undefined, replyCut: undefined };
    const links = new Set<Link>();
    const server = createServer((client) => {
      const link: Link = new Link(client, { host, port: targetPort }, faults, () => links.delete(link));
      links.add(link);
    });
    server.listen(0, host);
    await once(server, "listening");
    return new FaultProxy(server, faults, links);
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Milliseconds that everything takes longer, each way. */
  delay(ms: number): void {
    this.#faults.delayMs = ms;
  }

  /** Resets every connection. */
  cut(): void {
    for (const link of [...this.#links]) link.close();
  }

  /** Connections that are open now stay so, and nothing passes on them any more; new ones work. */
  silence(): void {
    for (const link of this.#links) link.silence();
  }

  /** While on, nothing passes at all. What was swallowed is lost for good, so that turning it off resets all connections. */
  hole(on: boolean): void {
    this.#faults.hole = on;
    if (!on) this.cut();
  }

  /**
   * The next reply to a matching request is swallowed, and its connection reset: the request took effect, and nobody knows.
   * @returns false where no such reply came in time
   */
  dropReply(when: Matches, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#faults.replyDrop = undefined;
        resolve(false);
      }, withinMs);
      const done = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#faults.replyDrop = { when, done };
    });
  }

  /**
   * Ends the connection of the next matching request after so many bytes of its reply.
   * @returns what was let through, once the connection is over
   */
  cutReply(after: number, when: Matches): Promise<Buffer> {
    return new Promise((done) => {
      this.#faults.replyCut = { after, when, done };
    });
  }

  /** Takes back a cut that nothing has met, or that the reply was too short for. */
  disarm(): void {
    this.#faults.replyCut = undefined;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }
}
