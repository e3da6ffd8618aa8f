import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type Wire = {
  readonly url: string;
  /** Directs new connections to this URL. */
  target(url: string): void;
  /** Closes every open connection. */
  cut(): void;
  /** Drops all bytes from the target until the next `cut`. */
  swallow(): void;
  close(): Promise<void>;
};

/** A TCP proxy that can cut connections and drop answers. */
export async function startWire(to: string): Promise<Wire> {
  let target = new URL(to);
  let swallows = false;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (bytes) => swallows || near.write(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  const cut = (): void => {
    swallows = false;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    target: (url) => {
      target = new URL(url);
    },
    cut,
    swallow: () => {
      swallows = true;
    },
    close: async () => {
      cut();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
