import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface StartRequests {
  readonly url: string;
  close(): Promise<void>;
}

/** Where the shell's `npm start` asks for a mesh. The body is the caller's environment; the answer is what `npm start` says. */
export async function startRequests(
  start: (env: NodeJS.ProcessEnv) => Promise<string>,
): Promise<StartRequests> {
  const server = createServer((request, response) => {
    text(request)
      .then((body) => start(environmentIn(body)))
      .then(
        (said) => response.end(said),
        (error: unknown) => {
          response.statusCode = 500;
          response.end(Error.isError(error) ? error.message : String(error));
        },
      );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function environmentIn(body: string): NodeJS.ProcessEnv {
  const entries = body.split("\0").map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return Object.fromEntries(entries.filter(([name]) => /^[A-Z]\w*$/.test(name) && name !== "CURL_HOME"));
}
