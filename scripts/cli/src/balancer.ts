import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Round-robin TCP balancer for several replicas. Skips replicas that refuse the connection. */
export async function startBalancer(urls: readonly string[], host: string, port: number): Promise<Balancer> {
  const targets = urls
    .map((url) => new URL(url))
    .map(({ hostname, port }) => ({ host: hostname, port: Number(port) }));
  const sockets = new Set<Socket>();
  let next = 0;

  const join = (client: Socket, tries: number): void => {
    const target = targets[next++ % targets.length];
    if (tries === 0 || target === undefined) return void client.destroy();
    const upstream = connect(target);
    upstream.once("error", () => join(client, tries - 1));
    upstream.once("connect", () => {
      upstream.removeAllListeners("error");
      // The client may have left while the connection was made.
      if (client.destroyed) return void upstream.destroy();
      bind(client, upstream);
    });
  };
  const bind = (client: Socket, upstream: Socket): void => {
    sockets.add(upstream);
    upstream.once("close", () => sockets.delete(upstream));
    // When one side ends, the other side ends too, after it has received the data in transit.
    pipeline(client, upstream, () => undefined);
    pipeline(upstream, client, () => undefined);
  };

  const server = createServer((client) => {
    sockets.add(client);
    client.once("close", () => sockets.delete(client));
    client.on("error", () => client.destroy());
    join(client, targets.length);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  server.unref();
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
