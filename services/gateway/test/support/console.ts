import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from "playwright-core";
import { freePort } from "../../../../scripts/cli/src/ports.ts";
import { until } from "./until.ts";

const MAIN = fileURLToPath(new URL("../../../issuer/src/main.ts", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export type Users = Readonly<Record<string, { name: string; tenant: string; roles: readonly string[] }>>;

/** The development issuer as a process, with these users. */
export async function developmentIssuer(users: Users): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "interlock-issuer-"));
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "users.json"), JSON.stringify(users));
  const port = await freePort("127.0.0.1");
  const url = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env.PATH, PORT: String(port), DEVELOPMENT_ISSUER: url, ISSUER_DATA_DIR: dir };
  const child = spawn(process.execPath, [MAIN], { env, stdio: "ignore" });
  const exited = once(child, "exit");
  await until(
    async () =>
      await fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function launchBrowser(executablePath: string, options: LaunchOptions = {}): Promise<Browser> {
  const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"];
  const args = ["--no-sandbox", "--no-first-run", ...quiet.map((name) => `--disable-${name}`)];
  return await chromium.launch({ executablePath, args, ...options });
}

/** A busy machine is slow, not broken. Less than a timer of an action that nobody waits for any more may outlive a file's tests. */
const PATIENCE_MS = 60_000;

/** A page of somebody's own browser, and what it complained of. */
export type Visit = { context: BrowserContext; page: Page; complaints: string[] };

/** @param user of the issuer; absent: nobody signs in */
export async function visit(
  browser: Browser,
  url: string,
  user?: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    // What the API refuses, Chromium notes by itself.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  if (user !== undefined) await signedIn(context, user);
  return { context, page, complaints };
}

/** Signs a browser in at the development issuer without showing it a page. */
async function signedIn({ request }: BrowserContext, user: string): Promise<void> {
  const asked = await request.get("/console/sign-in?return=/console/runs", { timeout: PATIENCE_MS });
  const back = await request.post(asked.url(), { form: { user }, timeout: PATIENCE_MS });
  if (new URL(back.url()).pathname !== "/console/runs")
    throw new Error(`${user} was not signed in: ${back.url()}`);
}

/** Signs in at the development issuer as a person does, and comes back. */
export async function signIn(page: Page, user: string, back: string): Promise<void> {
  await page.goto(`/console/sign-in?return=${encodeURIComponent(back)}`);
  // An issuer that remembers the browser asks nothing.
  if (new URL(page.url()).pathname.startsWith("/sign-in/")) await page.click(`button[value="${user}"]`);
  await page.waitForURL((url) => url.pathname + url.search === back);
  await page.locator("#who", { hasText: user }).waitFor();
}

/** What axe-core, or one rule of it, has to say against a page. Through the debugger: the page's own policy lets no script in. */
export async function barriers(
  { context, page }: Pick<Visit, "context" | "page">,
  rule?: string,
): Promise<unknown> {
  const debug = await context.newCDPSession(page);
  const run = async (expression: string): Promise<unknown> => {
    const answer = await debug.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    return answer.exceptionDetails?.text ?? answer.result.value;
  };
  if (!(await run("'axe' in window"))) await run(`${AXE}; 0`);
  const options = { resultTypes: ["violations"], ...(rule ? { runOnly: [rule] } : {}) };
  const found = await run(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)]))`);
  await debug.detach();
  return found;
}
