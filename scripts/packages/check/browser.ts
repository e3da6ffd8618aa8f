import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openPage } from "../../report/browser.ts";

const PATHS = {
  "@interlock/client": "/node_modules/@interlock/client/dist/index.js",
  "eventsource-parser": "/node_modules/eventsource-parser/dist/index.js",
};
const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title>
<script type="importmap">${JSON.stringify({ imports: PATHS })}</script>`;

export interface PageServer {
  /** The page's origin. */
  readonly origin: string;
  close(): void;
}

/** Serves a page, and the modules that a project has installed: with an import map a page needs no bundler. */
export async function servePage(project: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    if (!/^\/node_modules\/[\w@./-]+\.js$/.test(pathname)) {
      response.setHeader("Content-Type", "text/html");
      response.end(PAGE);
      return;
    }
    response.setHeader("Content-Type", "text/javascript");
    createReadStream(join(project, pathname))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a page saw of a turn. */
export interface Seen {
  readonly types: readonly string[];
  readonly runId?: string;
  readonly message?: string;
  /** The code of the error that ended it. */
  readonly failed?: string;
}

/** Reads a turn with the client in a page. */
export async function turnIn(
  chromium: string,
  page: string,
  gateway: string,
  message: string,
): Promise<Seen> {
  const opened = await openPage(chromium, page, 400, 300);
  try {
    return (await opened.evaluate(`(async () => {
      const { createClient } = await import("@interlock/client");
      const client = createClient({ baseUrl: ${JSON.stringify(gateway)}, retry: false });
      const turn = client.chat(${JSON.stringify(message)}, { sessionId: crypto.randomUUID() });
      const types = [];
      try {
        for await (const event of turn) types.push(event.type);
        const { message } = await turn.result;
        return { types, runId: turn.runId, message };
      } catch (error) {
        return { types, failed: error.code ?? String(error) };
      }
    })()`)) as Seen;
  } finally {
    await opened.close();
  }
}
