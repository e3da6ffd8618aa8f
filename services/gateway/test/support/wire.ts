import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a Redis that can fall silent, as it does when the server freezes: connections stay open, and nothing comes back. */
export type Wire = {
  url: string;
  silence(): void;
  /** Settles when a client has closed its side of a connection since the silence began. */
  hungUp: Promise<void>;
  /** Closes every connection and accepts no more. */
  stop(): void;
};

export async function wireTo(redisUrl: string): Promise<Wire> {
  const { hostname, port } = new URL(redisUrl);
  const hungUp = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let silent = false;
  // Half open: a client that closes its side gets no answer to that either.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const redis = connect(Number(port), hostname);
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => silent || redis.write(bytes));
    redis.on("data", (bytes) => silent || client.write(bytes));
    client.once("end", () => (silent ? hungUp.resolve() : redis.end()));
    redis.once("end", () => silent || client.end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `redis://127.0.0.1:${typeof address === "object" && address ? address.port : ""}`,
    silence: () => {
      silent = true;
    },
    hungUp: hungUp.promise,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
