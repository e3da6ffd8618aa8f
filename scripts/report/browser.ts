import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

const BLANK = "about:blank";
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The path of a Chromium on this machine: that of CHROMIUM, or of the Debian package; undefined if there is none. */
export function chromiumPath(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CHROMIUM !== undefined && env.CHROMIUM !== "") return env.CHROMIUM;
  const places = (env.PATH ?? "")
    .split(delimiter)
    .flatMap((directory) => NAMES.map((name) => join(directory, name)));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export type Page = {
  /** Evaluates an expression in the page and returns its value, which must be JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** A picture of the window as PNG. */
  screenshot(): Promise<Buffer>;
  /** A command of the DevTools protocol, for what else a test needs. Its answer has no `result` where Chromium refuses it. */
  call: Call;
  /** Listens to an event of the DevTools protocol. */
  on: On;
  close(): Promise<void>;
};

/** Opens a page in a headless Chromium, over its DevTools protocol, and waits until it is loaded. */
export async function openPage(chromium: string, url: string, width: number, height: number): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), "report-chromium-"));
  const child = spawn(
    chromium,
    [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-port=0"],
      ...[`--user-data-dir=${profile}`, `--window-size=${width},${height}`, BLANK],
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { call, on } = await connect(await debuggerOf(child));
    // Loaded by our command, so that the event cannot be missed.
    await call("Page.enable", {});
    const loaded = new Promise<void>((resolve) => on("Page.loadEventFired", () => resolve()));
    await call("Page.navigate", { url });
    await loaded;
    return {
      async evaluate(expression) {
        const answer = await call("Runtime.evaluate", {
          expression,
          returnByValue: true,
          awaitPromise: true,
        });
        return memberOf(memberOf(answer, "result"), "value");
      },
      async screenshot() {
        return Buffer.from(String(memberOf(await call("Page.captureScreenshot", {}), "data")), "base64");
      },
      call,
      on,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address of the DevTools, which Chromium prints when it is ready. */
async function debuggerOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error("chromium has no stderr");
  for await (const line of createInterface({ input: child.stderr })) {
    const found = /DevTools listening on ws:\/\/([^/]+)\//.exec(line)?.[1];
    if (found === undefined) continue;
    child.stderr.resume();
    return found;
  }
  throw new Error("chromium ended before it was ready");
}

type Call = (method: string, params: object) => Promise<unknown>;
type On = (event: string, listener: (params: unknown) => void) => void;

async function connect(host: string): Promise<{ call: Call; on: On }> {
  const pages: unknown = await (await fetch(`http://${host}/json/list`)).json();
  const page = Array.isArray(pages) ? pages.find((one) => memberOf(one, "type") === "page") : undefined;
  const socket = new WebSocket(String(memberOf(page, "webSocketDebuggerUrl")));
  await once(socket, "open");
  const answers = new Map<unknown, (result: unknown) => void>();
  const listeners = new Map<unknown, ((params: unknown) => void)[]>();
  socket.addEventListener("message", ({ data }) => {
    const message: unknown = JSON.parse(String(data));
    answers.get(memberOf(message, "id"))?.(memberOf(message, "result"));
    for (const listener of listeners.get(memberOf(message, "method")) ?? [])
      listener(memberOf(message, "params"));
  });
  let next = 0;
  return {
    call: (method, params) =>
      new Promise((resolve) => {
        const id = ++next;
        answers.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    on: (event, listener) => void listeners.set(event, [...(listeners.get(event) ?? []), listener]),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
