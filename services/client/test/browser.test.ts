import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, type Module, SourceTextModule } from "node:vm";
import { afterEach, expect, test } from "@jest/globals";
import type * as Client from "../src/index.ts";
import { chatEvents, chatFrames } from "./support/recording.ts";
import { openStream, startServer, type TestServer } from "./support/server.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const ENTRY = join(ROOT, "services/client/src/index.ts");

/** The globals that the package may use. Every browser released in the last two years has all of them. */
const PLATFORM = {
  AbortController,
  Headers,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  crypto,
  fetch,
  performance,
  queueMicrotask,
  setTimeout,
};

let server: TestServer | undefined;
afterEach(async () => await server?.close());

/** Loads the package from its sources into a context with these globals alone and without Node's modules. */
async function loadAsPage(loaded: Map<string, Module>): Promise<typeof Client> {
  const context = createContext({ ...PLATFORM });
  const load = (file: string): Module => {
    const known = loaded.get(file);
    if (known) return known;
    const source = readFileSync(file, "utf8");
    const module = new SourceTextModule(file.endsWith(".ts") ? stripTypeScriptTypes(source) : source, {
      context,
      identifier: file,
    });
    loaded.set(file, module);
    return module;
  };
  const entry = load(ENTRY);
  await entry.link((specifier, from) => {
    if (specifier.startsWith(".")) return load(resolve(dirname(from.identifier), specifier));
    return load(fileURLToPath(import.meta.resolve(specifier)));
  });
  await entry.evaluate();
  return entry.namespace as typeof Client;
}

test("the package runs with a browser's globals, and imports nothing but its parser", async () => {
  let posts = 0;
  server = await startServer((seen, res) => {
    const from = Number(seen.headers["last-event-id"] ?? 0);
    const frames = chatFrames().slice(from, seen.method === "POST" && posts++ === 0 ? 3 : undefined);
    openStream(res, { "x-run-id": "run-1" }).end(frames.join(""));
  });
  const loaded = new Map<string, Module>();
  const { createClient } = await loadAsPage(loaded);
  const foreign = [...loaded.keys()].filter((file) => !file.startsWith(dirname(ENTRY)));
  expect(foreign.length).toBeGreaterThan(0);
  expect(foreign.every((file) => file.includes("/node_modules/eventsource-parser/dist/"))).toBe(true);

  const client = createClient({ baseUrl: server.url, reconnect: { minDelayMs: 1 } });
  const turn = client.chat("hello", { sessionId: "s" });
  const events: unknown[] = [];
  for await (const event of turn) events.push(event);
  // The events were created in another realm, with other prototypes; toEqual compares those.
  expect(JSON.parse(JSON.stringify(events))).toEqual(chatEvents());
  expect((await turn.result).status).toBe("ok");
  expect(server.seen.map((seen) => seen.method)).toEqual(["POST", "GET"]);
});

test("its types compile with DOM types and without Node types, and refuse wrong calls", async () => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-client-"));
  try {
    const config = {
      extends: join(ROOT, "tsconfig.base.json"),
      compilerOptions: { lib: ["es2024", "dom", "dom.iterable"], types: [] },
      files: [ENTRY, join(import.meta.dirname, "types.check.ts")],
    };
    const file = join(folder, "tsconfig.json");
    writeFileSync(file, JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const said = await promisify(execFile)(process.execPath, [tsc, "-p", file, "--pretty", "false"], {
      cwd: ROOT,
    }).then(
      () => "",
      (error: { stdout?: string }) => error.stdout ?? "tsc could not be run",
    );
    expect(said).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
