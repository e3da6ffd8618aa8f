import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { signIn } from "./support/console.ts";
import { type ConsoleMesh, consoleMesh, describeConsole, screenOf } from "./support/console-mesh.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { HOSTILE } from "./support/payloads.ts";
import { ANN, as, decide, get, KIM, LEE, pausedRun, pauseOf, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, event, finish, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();

describeConsole("the console, in a Chromium,", () => {
  let mesh: ConsoleMesh;
  let gateway: TestGateway;

  beforeAll(async () => {
    mesh = await consoleMesh(keep, testGateway);
    ({ gateway } = mesh);
  });

  afterEach(async () => expect(await mesh.leave()).toEqual([]));

  describe("signing in", () => {
    test("comes back to the very address, with a cookie that no script can read", async () => {
      const { page, context } = await mesh.visitAs();
      await page.goto("/console/runs?state=failed&flow=publishing");
      await page.locator("#who", { hasText: "local analyst" }).getByRole("link").click();
      await page.click("button[value=kim]");
      await page.waitForURL("**/console/runs?state=failed&flow=publishing");
      await page.locator("#who", { hasText: "kim" }).waitFor();
      const cookies = (await context.cookies(gateway.url)).filter(({ name }) => name.startsWith("interlock"));
      expect(cookies).toMatchObject([
        { name: "interlock-session", httpOnly: true, sameSite: "Strict", path: "/", expires: -1 },
      ]);
      expect(
        await page.evaluate("document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })"),
      ).toBe("{}");
      // The store has nothing that it could read itself.
      const [key = ""] = await mesh.store.redis.keys("il:browser:*");
      expect(await mesh.store.redis.get(key)).toMatch(/^[\w-]{100,}$/);
    });

    test("begins with another secret than the one before, which is worth nothing any more", async () => {
      const { page, context } = await mesh.visitAs("kim");
      const secret = async () =>
        (await context.cookies(gateway.url)).find(({ name }) => name === "interlock-session")?.value ?? "";
      const before = await secret();
      await signIn(page, "kim", "/console/runs");
      expect(await secret()).not.toBe(before);
      const old = await get(gateway, "/api/v1/me", { cookie: `interlock-session=${before}` });
      expect([old.status, old.json().sign_in]).toEqual([401, "/console/sign-in"]);
    });

    test("takes no secret that somebody had planted before", async () => {
      const { page, context } = await mesh.visitAs();
      const planted = "p".repeat(43);
      await context.addCookies([{ name: "interlock-session", value: planted, url: gateway.url }]);
      await signIn(page, "kim", "/console/runs");
      const cookies = (await context.cookies(gateway.url)).filter(({ name }) => name === "interlock-session");
      expect(cookies).toMatchObject([{ value: expect.not.stringContaining(planted) }]);
      const headers = { cookie: `interlock-session=${planted}` };
      expect((await get(gateway, "/api/v1/me", headers)).status).toBe(401);
    });

    test("out ends it, here and for what the page had shown", async () => {
      const { page, context } = await mesh.visitAs("kim");
      const cookies = await context.cookies(gateway.url);
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      expect((await get(gateway, "/api/v1/me", { cookie })).json()).toMatchObject({ subject: "kim" });
      await page.goto("/console/approvals");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL((url) => url.origin === mesh.issuer.url);
      expect((await get(gateway, "/api/v1/me", { cookie })).status).toBe(401);
      expect((await context.cookies(gateway.url)).filter(({ name }) => name.startsWith("interlock"))).toEqual(
        [],
      );
    });

    test("out leaves nothing that the browser's way back would show", async () => {
      await mesh.waiting();
      const { page } = await mesh.visitAs("lee");
      await page.goto("/console/approvals");
      const row = page.locator("tbody tr").first();
      await row.evaluate((shown) => shown.setAttribute("data-of-the-session", ""));
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL((url) => url.origin === mesh.issuer.url);
      await page.evaluate("history.back()").catch(() => undefined);
      await page.waitForURL("**/console/approvals", { waitUntil: "commit" });
      await page.locator("#who .sign-in").waitFor();
      expect(await page.locator("[data-of-the-session]").count()).toBe(0);
    });

    test("with somebody else's answer, or another browser's, comes to nothing", async () => {
      const { page } = await mesh.visitAs();
      await page.goto("/console/signed-in?code=stolen&state=stolen");
      await page.waitForURL("**/console/signed-out?why=begin_again");
      await page.goto("/console/sign-in?return=//elsewhere.test/");
      await page.click("button[value=ann]");
      await page.waitForURL(`${gateway.url}/`);
    });
  });

  describe("forged requests", () => {
    test("of other pages change nothing, and without the page's own header neither", async () => {
      const run = await mesh.waiting();
      const { page, context } = await mesh.visitAs("kim");
      const path = `${gateway.url}/api/v1/approvals/${run.approvalId}/decision`;
      const body = { decision: "reject", proposal_hash: run.hash };
      // Another port of this machine is the same site: the cookie goes along.
      await page.goto(`${mesh.issuer.url}/health`);
      await page.evaluate(
        ([url, text]) =>
          fetch(url ?? "", { method: "POST", mode: "no-cors", credentials: "include", body: text }).catch(
            () => 0,
          ),
        [path, JSON.stringify(body)] as const,
      );
      const cookie = (await context.cookies(gateway.url))
        .map(({ name, value }) => `${name}=${value}`)
        .join("; ");
      const own = { cookie, origin: gateway.url, "interlock-console": "session" };
      const { "interlock-console": _, ...withoutMark } = own;
      const { origin: __, ...withoutOrigin } = own;
      const foreign = { ...own, origin: mesh.issuer.url };
      for (const headers of [withoutMark, withoutOrigin, foreign])
        expect([headers, (await ask(path, { method: "POST", headers, body })).status]).toEqual([
          headers,
          403,
        ]);
      expect(await mesh.stateOf(run)).toBe("pending");
      expect((await ask(path, { method: "POST", headers: own, body })).status).toBe(200);
    });

    test("of nobody are not taken for the local analyst's where a page takes itself for signed in", async () => {
      const headers = { "interlock-console": "session", origin: gateway.url };
      const answer = await ask(`${gateway.url}/api/v1/me`, { headers });
      expect([answer.status, answer.json().sign_in]).toEqual([401, "/console/sign-in"]);
    });

    test("no page of another site can frame a screen", async () => {
      const { headers } = await get(gateway, "/console/approvals", { accept: "text/html" });
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["content-security-policy"]).not.toMatch(/unsafe/);
      const { page, complaints } = await mesh.visitAs("kim");
      const framing = ["/healthz", "/console/approvals"].map(
        (path) => `<iframe src="${gateway.url}${path}"></iframe>`,
      );
      const other = createServer((_, res) => {
        res.setHeader("content-type", "text/html").end(framing.join(""));
      });
      keep({ stop: () => other.close() });
      await once(other.listen(0, "127.0.0.1"), "listening");
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
      // What may be framed is, by the same page.
      const [, open, screen] = page.frames();
      expect(open?.url()).toBe(`${gateway.url}/healthz`);
      expect(screen?.url()).toBe("chrome-error://chromewebdata/");
      expect(await screen?.locator("#who").count()).toBe(0);
      expect(complaints.splice(0)).toEqual([expect.stringContaining("frame-ancestors")]);
    });
  });

  describe("an approver", () => {
    test("finds what waits, sees what it would change, and approves exactly that, with a comment", async () => {
      const run = await mesh.waiting();
      const { page } = await mesh.visitAs("lee");
      await page.goto("/console/approvals");
      await page.locator(`a[href="${screenOf(run)}"]`).click();
      const row = page.locator(".proposal tbody tr", { hasText: "A100" });
      await row.waitFor();
      expect(await row.innerText()).toMatch(/A100\s+10.*\s+12.*\s+\+20\.00%/s);
      await page.getByLabel("Comment").fill("Looks right.");
      await page.getByRole("button", { name: "Approve exactly this" }).click();
      await page.getByText("It was approved by lee").waitFor();
      await page.getByText("Comment: Looks right.").waitFor();
      await until(async () => (await mesh.store.published(run.runId)).length === 1);
      expect((await mesh.store.published(run.runId))[0]?.payload).toMatchObject({ approved_by: "lee" });
    });

    test("edits values in fields of their kind; what the check says stands beside them; the editor does not approve", async () => {
      const run = await mesh.waiting();
      const { page } = await mesh.visitAs("lee");
      await page.goto(screenOf(run));
      await page.getByRole("button", { name: "Edit values" }).click();
      const field = page.getByLabel("A100, price", { exact: true });
      await field.fill("25");
      await page.getByRole("button", { name: "Check and save 1 edits" }).click();
      await page.locator(".proposal tr", { hasText: "A100" }).getByText("is above 20").waitFor();
      expect(await field.inputValue()).toBe("25");
      await field.fill("13.5");
      await page.getByRole("button", { name: "Check and save 1 edits" }).click();
      await page.getByText("You asked for this or changed it").waitFor();
      expect(await page.getByRole("button", { name: "Approve exactly this" }).count()).toBe(0);
      expect(await page.locator(".proposal tr", { hasText: "A100" }).innerText()).toMatch(/13\.5/);
      const now = (await get(gateway, `/api/v1/approvals/${run.approvalId}`, KIM)).json();
      expect(now).toMatchObject({ editors: ["lee"], proposal: [{ item_id: "A100", price: 13.5 }, {}] });
    });

    test("edits the arguments of a tool's call in fields of its schema", async () => {
      const called = await mesh.toolCalled();
      const { page } = await mesh.visitAs("max");
      await page.goto(screenOf(called));
      await page.getByText("notify", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Edit values" }).click();
      const field = (name: string) => page.getByLabel(`${name}, value`, { exact: true });
      await field("to").fill("carol");
      await field("urgent").check();
      await field("tags").fill('["prices", 5]');
      await field("copies").fill("3");
      await page.getByRole("button", { name: "Check and save 4 edits" }).click();
      await page.getByText("The edited arguments are wrong").waitFor();
      await field("tags").fill('["prices", "costs"]');
      await page.getByRole("button", { name: "Check and save 4 edits" }).click();
      await page.locator(".proposal tr", { hasText: "carol" }).waitFor();
      await page.getByRole("button", { name: "Approve exactly this" }).click();
      await page.getByText("It was approved by max").waitFor();
      await toRest(gateway, called.runId);
      await until(() => mesh.notified.length === 1);
      expect(mesh.notified).toEqual([{ to: "carol", urgent: true, tags: ["prices", "costs"], copies: 3 }]);
    });

    test("decides several at once; one that was decided meanwhile is told of, and not sent", async () => {
      const runs = [await mesh.waiting(), await mesh.waiting(), await mesh.waiting()] as const;
      const { page } = await mesh.visitAs("lee");
      await page.goto("/console/approvals");
      for (const { approvalId } of runs) await page.getByLabel(`${approvalId.slice(0, 8)}`).check();
      expect((await decide(gateway, runs[1], "reject", KIM)).status).toBe(200);
      await page.getByLabel("Comment").fill("All alike.");
      await page.getByRole("button", { name: /^Approve \d/ }).click();
      const outcomes = page.locator(".outcomes");
      for (const { approvalId } of [runs[0], runs[2]])
        await outcomes
          .locator("li", { hasText: approvalId.slice(0, 8) })
          .getByText("approved")
          .waitFor();
      await outcomes
        .locator("li", { hasText: runs[1].approvalId.slice(0, 8) })
        .getByText("It was rejected by kim")
        .waitFor();
      expect(await Promise.all(runs.map(mesh.stateOf))).toEqual(["approved", "rejected", "approved"]);
    });

    test("is told of a proposal that has changed since it was opened, before anything is sent", async () => {
      const run = await mesh.waiting();
      const { page } = await mesh.visitAs("lee");
      await page.goto(screenOf(run));
      await page.getByRole("button", { name: "Approve exactly this" }).waitFor();
      const edits = [{ item_id: "A100", price: 19 }];
      expect((await decide(gateway, run, "edit", KIM, { edits })).status).toBe(200);
      await page.getByRole("button", { name: "Approve exactly this" }).click();
      await page.getByText("Nothing was sent").first().waitFor();
      await page.locator(".proposal tr", { hasText: "A100" }).getByText("19").waitFor();
      expect(await mesh.stateOf(run)).toBe("pending");
    });

    test("cannot approve what they asked for, and reads why", async () => {
      const run = await mesh.waiting(as("max", "analyst,pricing-lead"));
      const { page } = await mesh.visitAs("max");
      await page.goto("/console/approvals");
      await page
        .locator("tr", { hasText: run.approvalId.slice(0, 8) })
        .getByText("somebody else has to approve")
        .waitFor();
      expect(await page.getByLabel(run.approvalId.slice(0, 8)).count()).toBe(0);
      await page.goto(screenOf(run));
      await page.getByText("You asked for this or changed it").waitFor();
      expect(await page.getByRole("button", { name: "Approve exactly this" }).count()).toBe(0);
    });

    test("of two at once one wins, and the other sees who did", async () => {
      const run = await mesh.waiting();
      const [lee, kim] = [await mesh.visitAs("lee"), await mesh.visitAs("kim")];
      for (const { page } of [lee, kim]) {
        await page.goto(screenOf(run));
        await page.getByRole("button", { name: "Approve exactly this" }).waitFor();
      }
      await Promise.all([
        lee.page.getByRole("button", { name: "Approve exactly this" }).click(),
        kim.page.getByRole("button", { name: "Reject" }).click(),
      ]);
      const told = await Promise.all(
        [lee, kim].map(
          async ({ page }) =>
            await page
              .getByText(/It was (approved|rejected) by (lee|kim)/)
              .first()
              .innerText(),
        ),
      );
      const winner = (await get(gateway, `/api/v1/approvals/${run.approvalId}`, LEE)).json().winner as {
        by: string;
      };
      for (const text of told) expect(text).toContain(`by ${winner.by}`);
    });

    test("whose session ends in the middle of an edit loses nothing", async () => {
      const run = await mesh.waiting();
      const { page, context } = await mesh.visitAs("kim");
      await page.goto(screenOf(run));
      await page.getByRole("button", { name: "Edit values" }).click();
      await page.getByLabel("A100, price", { exact: true }).fill("14.25");
      const keys = await mesh.store.redis.keys("il:browser:*");
      await mesh.store.redis.del(...keys);
      await page.getByRole("button", { name: "Check and save 1 edits" }).click();
      await page.getByText("Your session is over").first().waitFor();
      const [beside] = await Promise.all([
        context.waitForEvent("page"),
        page.getByRole("link", { name: "Sign in again" }).first().click(),
      ]);
      await beside.waitForURL(`**${screenOf(run)}`);
      await beside.locator("#who", { hasText: "kim" }).waitFor();
      expect(await page.getByLabel("A100, price", { exact: true }).inputValue()).toBe("14.25");
      await page.getByRole("button", { name: "Check and save 1 edits" }).click();
      await page.getByText("You asked for this or changed it").waitFor();
    });

    test("whose sign-in is too old for the rule signs in anew, and comes back to the very proposal", async () => {
      const run = await pausedRun(gateway, { flow: "strict", inputs: { items: [] } });
      const { page, context } = await mesh.visitAs("kim");
      const signedInAt = async (from: typeof page) =>
        Date.parse(
          String(
            await from.evaluate(
              "fetch('/api/v1/me').then((a) => a.json()).then((me) => me.authenticated_at)",
            ),
          ),
        );
      await page.goto(screenOf(run));
      const first = await signedInAt(page);
      await page.getByLabel("Comment").fill("Fresh enough?");
      await until(() => Date.now() - first > 3_000);
      await page.getByRole("button", { name: "Approve exactly this" }).click();
      await page.getByText("wants a sign-in that is at most 2 s old").waitFor();
      expect(await page.getByLabel("Comment").inputValue()).toBe("Fresh enough?");
      const [beside] = await Promise.all([
        context.waitForEvent("page"),
        page.getByRole("link", { name: "Sign in again" }).click(),
      ]);
      // Asked again, though the issuer remembers the browser.
      await beside.click("button[value=kim]");
      await beside.waitForURL(`**${screenOf(run)}`);
      await beside.getByRole("button", { name: "Approve exactly this" }).waitFor();
      expect(await signedInAt(beside)).toBeGreaterThan(first);
    });

    test("of another tenant finds nothing under the same address", async () => {
      const run = await mesh.waiting();
      const { page } = await mesh.visitAs("eve");
      await page.goto("/console/approvals");
      await page.getByText("Nothing waits for a decision").waitFor();
      await page.goto(screenOf(run));
      await page.getByText("nothing under this address").waitFor();
    });

    test("needs no mouse", async () => {
      const run = await mesh.waiting();
      const { page } = await mesh.visitAs("lee");
      await page.goto(screenOf(run));
      await page.getByRole("button", { name: "Approve exactly this" }).waitFor();
      await page.evaluate("document.activeElement.blur()");
      const reached = async () =>
        String(await page.evaluate("document.activeElement.textContent")) === "Approve exactly this";
      for (let presses = 0; presses < 60 && !(await reached()); presses += 1)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText("It was approved by lee").waitFor();
    });
  });

  describe("an operator", () => {
    test("finds a run by what it was, in an address that can be sent", async () => {
      const failed = await startRun(gateway, { flow: "pricing", goals: ["explainer"] });
      const call = await mesh.check.next();
      const error = { code: "NO_DATA", message: `Nothing to explain. ${HOSTILE[0]}` };
      finish(call, {}, { status: "error", ok: false, error });
      await toRest(gateway, failed);
      const { page } = await mesh.visitAs("ole");
      await page.goto("/console/runs");
      await page.getByLabel("State").selectOption("failed");
      await page.getByLabel("Agent", { exact: true }).fill("explainer");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.locator(`a[href="/console/runs/${failed}"]`).waitFor();
      expect(page.url()).toContain("state=failed");
      await until(async () => (await page.locator("tbody tr").count()) === 1);
      await page.goto(`/console/runs?state=failed&subject=${encodeURIComponent("test:nobody")}`);
      await page.getByText("No run matches").waitFor();
    });

    test("watches a run while it goes on, over a reload, and cancels one", async () => {
      const trace = "0af7651916cd43dd8448eb211c80319c";
      const traced = { ...ANN, traceparent: `00-${trace}-b7ad6b7169203331-01` };
      const [first, second] = [
        await startRun(gateway, { flow: "pricing", goals: ["explainer"] }, traced),
        await startRun(gateway, { flow: "pricing", goals: ["explainer"] }),
      ];
      const calls = [await mesh.check.next(), await mesh.check.next()];
      const callOf = (run: string) => calls.find(({ body }) => String(body.request_id).startsWith(run));
      const { page } = await mesh.visitAs("ole");
      await page.goto(`/console/runs/${first}`);
      await page.locator(".timeline li", { hasText: "explain" }).locator(".bar.busy").waitFor();
      await page.reload();
      await page.locator(".timeline li", { hasText: "explain" }).locator(".bar.busy").waitFor();
      const call = callOf(first);
      if (!call) throw new Error("the run's step was not begun");
      finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
      await page.locator(".timeline li", { hasText: "explain" }).locator(".bar.ok").waitFor();
      await page.locator(".lead", { hasText: "finished" }).waitFor();
      await page.locator(".pairs div", { hasText: "Trace" }).getByText(trace).waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download the log" }).click(),
      ]);
      const lines = readFileSync(await file.path(), "utf8")
        .trim()
        .split("\n");
      expect(lines.map((line) => JSON.parse(line).seq)).toEqual(lines.map((_, at) => at + 1));
      await page.goto(`/console/runs/${second}`);
      page.removeAllListeners("dialog");
      page.once("dialog", (dialog) => void dialog.accept());
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.locator(".lead", { hasText: "cancelled" }).waitFor();
    });

    test("reads on where a run went on before the page had seen it wait", async () => {
      const { page } = await mesh.visitAs("ole");
      const run = await startRun(gateway, { flow: "publishing", inputs: { items: [] } });
      const paused = pauseOf(run, await toRest(gateway, run));
      let isOver = () => {};
      const over = new Promise<void>((resolve) => (isOver = resolve));
      let asked = 0;
      // The page knows the run as running; it looks again when it has read that it waits, and hears that it is over.
      await page.route(`**/api/v1/runs/${run}`, async (route) => {
        asked += 1;
        if (asked > 1) {
          await over;
          return await route.continue();
        }
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...(await answer.json()), state: "running" } });
      });
      await page.goto(`/console/runs/${run}`);
      const step = page.locator(".timeline li", { hasText: "publish" });
      await step.locator(".bar.warn").waitFor();
      expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
      await toRest(gateway, run, undefined, paused.seq);
      isOver();
      await page.locator(".lead", { hasText: "finished" }).waitFor();
      await step.locator(".bar.ok").waitFor();
    });

    test("waits for an answer that takes longer than the page's own refreshing", async () => {
      await mesh.waiting();
      const { page } = await mesh.visitAs("ole");
      await page.clock.install();
      let asked = 0;
      let isEnough = () => {};
      const enough = new Promise<void>((resolve) => (isEnough = resolve));
      await page.route("**/api/v1/runs", async (route) => {
        asked += 1;
        await enough;
        await route.continue();
      });
      await page.goto("/console/runs");
      await until(() => asked === 1);
      await page.clock.runFor(60_000);
      expect(asked).toBe(1);
      isEnough();
      await page.locator("tbody tr").first().waitFor();
      await page.clock.runFor(60_000);
      await until(() => asked > 1);
    });

    test("sees which notices did not arrive, and why, and sends one again", async () => {
      const { page } = await mesh.visitAs("ole");
      const { approvalId } = await mesh.waiting();
      await page.goto("/console/operations");
      const row = page.locator("tr", { has: page.locator(`a[href="/console/approvals/${approvalId}"]`) });
      const given = row.filter({ hasText: "given up" }).filter({ hasText: "gone" });
      await given.waitFor();
      const before = mesh.receiving.delivered.length;
      mesh.inbox.status = 204;
      await given.getByRole("button", { name: "Send again: approval.requested to leads" }).click();
      await given.waitFor({ state: "detached" });
      expect(mesh.receiving.delivered.length).toBe(before + 1);
    });

    test("sees how agents are, and what was refused", async () => {
      const { page } = await mesh.visitAs("ole");
      await mesh.waiting();
      await page.goto("/console/operations");
      await page.locator("tr", { hasText: "optimizer" }).getByText("ready").first().waitFor();
      await page.getByText("token refused").or(page.getByText("requested")).first().waitFor();
    });
  });

  describe("an analyst", () => {
    /** The mesh that ships, where messages constrain prices. */
    let pricing: TestGateway;

    beforeAll(async () => {
      const finding =
        "Proposed\n- PUMP-C3, new: 1,895.00 → 1,850.25 (−5%)\n- VALVE-V7, usm: 70.00 → 66.50 (−5%)";
      const outputs = { ...GOOD_OUTPUTS.PRICE_OPTIMIZATION, finding };
      const optimizer = keep(await standIn({ PRICE_OPTIMIZATION: answering(outputs) }));
      const { redisUrl } = mesh.options;
      pricing = keep(await testGateway({ manifest: shippedMesh(optimizer.url), redisUrl }));
    });

    test("reads an answer as it comes, and goes on in the same conversation", async () => {
      const { page } = await mesh.visitAs("ann");
      await page.goto("/console/conversations");
      await page.getByLabel("Message").fill("explain the drivers");
      await page.keyboard.press("Enter");
      const call = await mesh.check.next();
      call.res.write(event("token", { text: "Costs <b>rose</b>" }));
      await page.getByText("Costs <b>rose</b>").waitFor();
      finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
      await page.waitForURL(/\/console\/conversations\/console-\w+/);
      await page.locator('nav [aria-current="page"]', { hasText: "explain the drivers" }).waitFor();
      await page.reload();
      await page.locator(".question", { hasText: "explain the drivers" }).waitFor();
    });

    test("who comes first, to a store that has nothing, is offered messages; a click is answered", async () => {
      const empty = keep(await testRedis());
      const agent = keep(await standIn({ PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION) }));
      const gateway = keep(await testGateway({ manifest: shippedMesh(agent.url), redisUrl: empty.url }));
      const { page } = await mesh.visitAs(undefined, gateway.url);
      await page.goto("/console/runs");
      await page.getByText("No run matches.").waitFor();
      await page.goto("/");
      const starts = page.getByRole("group", { name: "Begin with one of these" });
      await starts.getByRole("button", { name: "Propose the best prices" }).click();
      await page.locator(".turns .answer .text", { hasText: /./ }).waitFor();
      expect(await starts.isVisible()).toBe(false);
      await page.goto("/console/conversations");
      await page.locator(".talk nav li").first().waitFor();
      await page.locator(".empty").getByRole("button", { name: "Propose the best prices" }).click();
      await page.locator(".answer p:not(.problem, .hint)", { hasText: /./ }).first().waitFor();
      expect(await page.locator(".answer .problem").count()).toBe(0);
    });

    test("takes back by a click what was understood; a list of values sorts, and is a file", async () => {
      const { page } = await mesh.visitAs(undefined, pricing.url);
      await page.goto("/console/conversations");
      await page.getByLabel("Message").fill("Propose prices for EMEA");
      await page.getByRole("button", { name: "Ask" }).click();
      const limit = page.getByRole("button", { name: "Take back: region EMEA" });
      await limit.waitFor();
      const first = page.locator(".answer tbody th").first();
      expect(await first.innerText()).toBe("PUMP-C3, new");
      for (const row of ["VALVE-V7, usm", "PUMP-C3, new"]) {
        await page.getByRole("button", { name: "Sort by Before" }).click();
        await until(async () => (await first.innerText()) === row);
      }
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download as CSV" }).click(),
      ]);
      expect(readFileSync(await file.path(), "utf8")).toBe(
        '\ufeffWhat,Before,After,Change %\r\n"PUMP-C3, new",1895,1850.25,-5\r\n"VALVE-V7, usm",70,66.5,-5',
      );
      await limit.click();
      await page.locator(".question", { hasText: "Remove the region" }).waitFor();
      await limit.waitFor({ state: "detached" });
    });
  });
});
