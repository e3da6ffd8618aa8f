import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Faults, Matches } from "./faults.ts";
import { Link } from "./link.ts";

/** A TCP proxy on the loopback interface that injects network faults. */
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

  /** Delays all data by so many milliseconds, each way. */
  delay(ms: number): void {
    this.#faults.delayMs = ms;
  }

  /** Resets every connection. */
  cut(): void {
    for (const link of [...this.#links]) link.close();
  }

  /** Existing connections stay open, but no data passes on them any more. New connections work. */
  silence(): void {
    for (const link of this.#links) link.silence();
  }

  /** While on, no data passes on any connection. Turning it off resets all connections, because they have lost data. */
  hole(on: boolean): void {
    this.#faults.hole = on;
    if (!on) this.cut();
  }

  /**
   * Drops the next reply to a matching request and resets its connection: the request took effect, but the client cannot know.
   * @returns false if no such reply came in time
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
   * @returns the bytes that were forwarded, once the connection has ended
   */
  cutReply(after: number, when: Matches): Promise<Buffer> {
    return new Promise((done) => {
      this.#faults.replyCut = { after, when, done };
    });
  }

  /** Removes a cut that was not reached. */
  disarm(): void {
    this.#faults.replyCut = undefined;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }
}
