import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Where the answer of a request is cut off: before the first byte of it, or behind a text. `unsent`: the request itself gets lost. */
export type Cut = { behind: string } | "before" | "unsent";

export type CuttingProxy = {
  url: string;
  /** The requests that matched so far: what was sent of each. */
  requests: string[];
  /** Cuts the next matching requests off, one each; those after them are left alone. */
  cut(...cuts: Cut[]): void;
  stop(): Promise<void>;
};

/** A network between a client and a server that fails where the test says. @param match how a request begins that counts */
export async function cuttingProxy(target: string, match: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let cuts: Cut[] = [];

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let cut: Cut | undefined;
    let passed = "";
    const destroy = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", destroy).on("close", () => {
        sockets.delete(socket);
        destroy();
      });
    }
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (text.startsWith(match)) {
        requests.push(text);
        cut = cuts.shift();
        passed = "";
      }
      if (cut === "unsent") destroy();
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (cut === undefined) return void client.write(bytes);
      if (typeof cut === "string") return destroy();
      const before = passed.length;
      passed += bytes.toString("latin1");
      const at = passed.indexOf(cut.behind);
      if (at < 0) return void client.write(bytes);
      // What comes before the cut still arrives.
      client.end(bytes.subarray(0, at + cut.behind.length - before), destroy);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    cut: (...planned) => (cuts = planned),
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, "close");
    },
  };
}
