/**
 * `npm run -s screenshots`: takes the pictures of docs/console.md, from the mesh that `npm start` runs. What they show is asked for first, by
 * users of the development issuer.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { issueToken } from "@interlock/issuer";
import { type Browser, chromium, type Page } from "playwright-core";
import { fail, say } from "./cli/src/console.ts";
import { readRecord } from "./cli/src/run-record.ts";
import { portsFrom } from "./cli/src/settings.ts";
import { dataDir, root } from "./lib/paths.ts";
import { GATEWAY, ISSUER, SERVICES } from "./lib/services.ts";
import { chromiumPath } from "./report/browser.ts";

const MOST_BYTES = 150_000;
const INTO = join(root, "docs/console");
const WIDE = { width: 1160, height: 760 };
const PHONE = { width: 390, height: 844 };

type Mesh = { gateway: string; issuer: string };
type Answer = { thread_id: string; approval?: { id: string }; ui_hint?: { buttons: string[] } };

async function main(): Promise<void> {
  const path = chromiumPath(process.env);
  if (path === undefined) throw new Error("There is no Chromium on this machine: apt-get install chromium");
  const ports = portsFrom(process.env, SERVICES);
  const { issuer = `http://127.0.0.1:${ports[ISSUER.name]}` } = readRecord(join(dataDir, "start.json"));
  const mesh = { gateway: `http://127.0.0.1:${ports[GATEWAY]}`, issuer };
  mkdirSync(INTO, { recursive: true });
  const sessions = [randomUUID(), randomUUID(), randomUUID()];
  const said = [
    "Propose prices for the valve and the pump with at most 5% change",
    "Propose prices and publish them",
    "Propose prices with a maximum change of 3% and publish them",
  ];
  const answers: Answer[] = [];
  for (const [at, message] of said.entries()) {
    let answer = await sent(mesh, sessions[at] ?? "", message);
    // It asks first where it is not sure: yes.
    const [yes] = answer.ui_hint?.buttons ?? [];
    if (answer.approval === undefined && yes !== undefined)
      answer = await sent(mesh, sessions[at] ?? "", yes);
    answers.push(answer);
  }
  const [, published] = answers;
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const approval = `/console/approvals/${published?.approval?.id}`;
    await pictures(browser, mesh, "bo", { viewport: WIDE, colorScheme: "light" }, { proposal: approval });
    await pictures(
      browser,
      mesh,
      "bo",
      { viewport: PHONE, colorScheme: "light" },
      { phone: approval, inbox: "/console/approvals", error: "/console/approvals/nothing" },
    );
    await pictures(
      browser,
      mesh,
      "ole",
      { viewport: PHONE, colorScheme: "dark" },
      { timeline: `/console/runs/${published?.thread_id}`, empty: "/console/runs?state=queued" },
    );
    await pictures(
      browser,
      mesh,
      "ole",
      { viewport: WIDE, colorScheme: "dark" },
      { run: `/console/runs/${published?.thread_id}` },
    );
    await pictures(
      browser,
      mesh,
      "ann",
      { viewport: WIDE, colorScheme: "light" },
      { conversation: `/console/conversations/${sessions[0]}` },
    );
  } finally {
    await browser.close();
  }
}

/** Sends a message as ann. */
async function sent({ gateway, issuer }: Mesh, session_id: string, message: string): Promise<Answer> {
  const order = { user: "ann", roles: ["analyst"], tenant: "default", ttlS: 600 };
  const token = await issueToken(issuer, join(dataDir, "issuer"), order);
  const answer = await fetch(`${gateway}/api/v1/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ message, session_id }),
  });
  if (!answer.ok) throw new Error(`The gateway answered ${answer.status}.`);
  return (await answer.json()) as Answer;
}

/** Pictures of screens, by the names of their files. */
async function pictures(
  browser: Browser,
  { gateway }: Mesh,
  user: string,
  look: Parameters<Browser["newContext"]>[0],
  screens: Readonly<Record<string, string>>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: gateway, locale: "en-GB", ...look });
  const page: Page = await context.newPage();
  await page.goto("/console/sign-in?return=/console/runs");
  await page.click(`button[value="${user}"]`);
  await page.locator("#who", { hasText: user }).waitFor();
  for (const [name, screen] of Object.entries(screens)) {
    await page.goto(screen);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle");
    await page.evaluate("scrollTo(0, 0)");
    const path = join(INTO, `${name}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes; at most ${MOST_BYTES} are kept`);
    say(`docs/console/${name}.png  ${Math.round(size / 1000)} kB`);
  }
  await context.close();
}

await main().catch(fail);
