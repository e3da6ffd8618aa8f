import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { barriers, type Visit } from "./support/console.ts";
import { type ConsoleMesh, consoleMesh, describeConsole, screenOf } from "./support/console-mesh.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ALL_HOSTILE, HOSTILE } from "./support/payloads.ts";
import { ANN, decide, LEE, type Paused, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { finish } from "./support/stand-in.ts";

const keep = closingAtEnd();

describeConsole("every screen of the console, in a Chromium,", () => {
  let mesh: ConsoleMesh;
  let gateway: TestGateway;
  let run: Paused;
  let session: string;

  beforeAll(async () => {
    mesh = await consoleMesh(keep, testGateway);
    ({ gateway } = mesh);
    session = randomUUID();
    const body = { flow: "publishing", session_id: session, message: ALL_HOSTILE.slice(0, 400) };
    run = await pausedRun(gateway, body);
    await decide(gateway, await mesh.waiting(), "reject", LEE, { note: ALL_HOSTILE });
  });

  afterEach(async () => expect(await mesh.leave()).toEqual([]));

  const screens = () => [
    "/",
    "/console/approvals",
    "/console/approvals?state=all",
    screenOf(run),
    "/console/runs",
    "/console/runs?state=queued",
    `/console/runs/${run.runId}#events`,
    "/console/conversations",
    `/console/conversations/${session}`,
    "/console/operations",
    "/console/signed-out?why=refused",
  ];
  /** Goes to a screen, and waits until all of it is there. */
  async function whole({ page }: Visit, path: string): Promise<void> {
    await page.goto(path);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle");
  }

  /** Every payload as somebody's message. @returns those that were not refused as attacks on the assistant */
  async function messages(): Promise<string[]> {
    const taken: string[] = [];
    for (const message of HOSTILE) {
      const body = { flow: "pricing", goals: ["policy"], message, session_id: randomUUID() };
      const answer = await post(gateway, "/api/v1/runs", body, ANN);
      if (answer.status === 202) taken.push(message);
      else expect([message, answer.status, answer.json().code]).toEqual([message, 400, "AGT_004"]);
    }
    expect(taken.length).toBeGreaterThan(HOSTILE.length / 2);
    return taken;
  }

  /** A run whose agent says hostile things of its failure. */
  async function failedRun(): Promise<string> {
    const failed = await startRun(gateway, {
      flow: "pricing",
      goals: ["explainer"],
      message: "Explain it.",
    });
    const error = { code: "NO_DATA", message: HOSTILE.slice(0, 12).join(" ") };
    finish(await mesh.check.next(), {}, { status: "error", ok: false, error });
    await toRest(gateway, failed);
    return failed;
  }

  /** A conversation that whoever looks at it may read. */
  async function answered(message: string): Promise<string> {
    const session_id = randomUUID();
    const answer = await post(gateway, "/api/v1/chat", { message, session_id }, ANN);
    expect(answer.status).toBe(200);
    return session_id;
  }

  test("shows whatever comes as text", async () => {
    const ole = await mesh.visitAs("ole");
    const { page } = ole;
    // What the page's policy had to stop, it would have done without it.
    await page.addInitScript(
      "window.stopped = []; addEventListener('securitypolicyviolation', (e) => window.stopped.push(e.violatedDirective + ' ' + e.blockedURI))",
    );
    const failed = await failedRun();
    const told = await answered("Which prices violate the policy?");
    const called = await mesh.toolCalled();
    // The latest: they are on the first page of runs.
    const said = await messages();
    const hostile = [
      ...[screenOf(run), screenOf(called), `/console/runs/${run.runId}#events`, `/console/runs/${failed}`],
      ...[`/console/conversations/${session}`, `/console/conversations/${told}`],
      ...["/console/runs", "/console/conversations"],
    ];
    for (const path of new Set([...screens(), ...hostile])) {
      await whole(ole, path);
      const seen = await page.evaluate(
        "[window.taken ?? 0, document.querySelectorAll('main img, main script, main iframe, main object, main embed, main base, main a[href^=\"javascript\"]').length, window.stopped, document.title.includes('taken')]",
      );
      expect([path, seen]).toEqual([path, [0, 0, [], false]]);
      const text = String(await page.evaluate("document.querySelector('main').textContent"));
      // All of them were there to be taken for more, or as much of them as the screen shows.
      if (hostile.includes(path)) expect([path, text.includes(HOSTILE[0] ?? "")]).toEqual([path, true]);
      if (path === "/console/runs")
        expect([path, said.filter((one) => !text.includes(one.slice(0, 40)))]).toEqual([path, []]);
      if (path === screenOf(run) || path === screenOf(called))
        expect([path, HOSTILE.filter((one) => !text.includes(one))]).toEqual([path, []]);
    }
  }, 600_000);

  test("has no barrier and nothing that does not fit, in daylight, at night, and on a phone", async () => {
    const looked = await mesh.visitAs("lee");
    const { page } = looked;
    for (const path of screens()) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.emulateMedia({ colorScheme: "light" });
      await whole(looked, path);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect([path, await barriers(looked)]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect([path, "dark", await barriers(looked, "color-contrast")]).toEqual([path, "dark", []]);
      for (const width of [1440, 720, 390, 360]) {
        // 720 is what a zoom of 200 % leaves of 1440.
        await page.setViewportSize({ width, height: 900 });
        const fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
        expect([path, width, fits]).toEqual([path, width, true]);
        if (width === 720 || width === 390)
          expect([path, width, await barriers(looked)]).toEqual([path, width, []]);
      }
    }
  }, 600_000);

  test("is searched for barriers: one that is made is found", async () => {
    const ole = await mesh.visitAs("ole");
    await whole(ole, "/console/runs");
    await ole.page.evaluate("document.querySelector('.brand').replaceChildren()");
    expect(JSON.stringify(await barriers(ole))).toContain("link-name");
  });
});
