import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { scriptOf } from "../../../scripts/model-server/script.ts";
import { startModelServer } from "../../../scripts/model-server/server.ts";
import { chromiumPath } from "../../../scripts/report/browser.ts";
import { closingAtEnd } from "./support/closing.ts";
import {
  barriers,
  developmentIssuer,
  launchBrowser,
  signIn,
  type Users,
  type Visit,
  visit,
} from "./support/console.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import {
  ANN,
  as,
  decide,
  get,
  KIM,
  LEE,
  type Paused,
  pausedRun,
  post,
  startRun,
  toRest,
} from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, type Call, event, finish, holding, sendJson, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const chromium = chromiumPath(process.env);
if (chromium === undefined)
  process.stderr.write("No Chromium on this machine: nobody looks at the console.\n");

/** Whatever an agent, a user or a name can bring, and would like to be more than text. */
const HOSTILE = [
  `<img src=x onerror="window.taken=1">`,
  `"><script>window.taken=1</script>`,
  `'-window.taken=1-'`,
  `javascript:window.taken=1`,
  `<svg/onload=window.taken=1>`,
  `{{constructor.constructor('window.taken=1')()}}`,
  `<a href="javascript:window.taken=1">x</a>`,
  `</textarea><iframe srcdoc="<script>parent.taken=1</script>">`,
];
const ALL_HOSTILE = HOSTILE.join(" ");

const person = (name: string, ...roles: string[]) => ({ name, tenant: "default", roles });
const USERS: Users = {
  ann: person("Ann", "analyst"),
  lee: person("Lee", "pricing-lead"),
  kim: person("Kim", "pricing-lead"),
  max: person("Max", "analyst", "pricing-lead"),
  ole: person("Ole", "operator"),
  eve: { ...person("Eve", "pricing-lead"), tenant: "elsewhere" },
};

/** A proposal whose names are hostile, too. */
const NAMES = ["A100", ALL_HOSTILE];
const proposed = NAMES.map((item_id, at) => ({ item_id, price: 12 + 3 * at }));
const VIOLATION = { item_id: "A100", message: `The price of A100 is above 20. ${HOSTILE[0]}` };
const judged = ({ body: { inputs } }: Call) => {
  const { proposed: prices = [] } = inputs as { proposed?: { price: number }[] };
  const passed = prices.every(({ price }) => price <= 20);
  return { passed, violations: passed ? [] : [VIOLATION] };
};

/** What a model calls for the assistant, and what that takes. */
const NOTICE = { to: "bob", urgent: false, tags: ["prices"], copies: 1 };
const NOTIFY = {
  task_type: "NOTIFY",
  inputs: {
    type: "object",
    properties: {
      to: { type: "string" },
      urgent: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      copies: { type: "integer", minimum: 1, maximum: 5 },
      channel: { enum: ["mail", "letter"] },
    },
    required: ["to"],
    additionalProperties: false,
  },
  outputs: { type: "object" },
};
const SCRIPT = scriptOf([
  { hears: "assistant", round: 1, calls: [{ name: "notify", arguments: NOTICE }] },
  { hears: "assistant", round: 2, says: "It is told." },
]);

(chromium === undefined ? describe.skip : describe)("the console, in a Chromium,", () => {
  const check = holding();
  let gateway: TestGateway;
  const notified: unknown[] = [];
  /** The mesh that ships, where messages constrain prices. */
  let pricing: TestGateway;
  let store: StoreView;
  let browser: Browser;
  /** One that keeps whole pages for the way back, as people's browsers do. */
  let keeping: Browser;
  let issuer: { url: string };
  let lee: Visit;
  const visits: Visit[] = [];

  beforeAll(async () => {
    const redis = keep(await testRedis());
    const agent = keep(
      await standIn({
        ...PUBLISHING,
        PRICE_OPTIMIZATION: answering({ items: proposed }),
        POLICY_CHECK: answering(judged),
        PRICE_EXPLANATION: check.handler,
        SENSITIVITY_ANALYSIS: answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS),
        NOTIFY: (call) => {
          notified.push(call.body.inputs);
          answering({ told: true })(call);
        },
        "/agents/card": (call) =>
          sendJson(call, { name: "a", version: "1.0.0", contract: "agent/v1", task_types: [NOTIFY] }),
      }),
    );
    const rule = {
      ...RULE,
      show: { ...RULE.show, note: { literal: ALL_HOSTILE } },
      edit: {
        ...RULE.edit,
        schema: {
          type: "array",
          items: {
            type: "object",
            properties: { item_id: { type: "string" }, price: { type: "number", minimum: 1 } },
          },
        },
      },
    };
    const mesh = publishingMesh(agent.url, rule);
    const { publish } = mesh.flows.publishing.steps;
    const steps = {
      ...mesh.flows.publishing.steps,
      publish: { ...publish, approval: { ...rule, max_age: 2 } },
    };
    const strict = { ...mesh.flows.publishing, steps, goals: { strict: ["publish"] } };
    const policy = { ...mesh.services.policy, answer: { literal: `Two:\n- ${ALL_HOSTILE}` } };
    const models = keep(await startModelServer({ script: SCRIPT }));
    const notices = {
      steps: {
        notify: { agent: "notifier", task_type: "NOTIFY", effect: "repeatable", inputs: "request.inputs" },
      },
      goals: { notices: ["notify"] },
    };
    const manifest = {
      ...mesh,
      agents: { ...mesh.agents, notifier: { url: agent.url, tasks: { NOTIFY: "Tells somebody." } } },
      flows: { ...mesh.flows, strict, notices },
      models: {
        default: "rules",
        allow: ["rules", "scripted"],
        providers: { here: { kind: "openai_compatible", base_url: models.url } },
        models: { scripted: { provider: "here", model: "scripted" } },
      },
      services: {
        ...mesh.services,
        policy,
        assistant: { tools: ["notify"], model: "scripted", keywords: ["assistant"] },
        strict: { ...mesh.services.publishing, flow: "strict", keywords: ["strictly"] },
      },
    };
    issuer = keep(await developmentIssuer(USERS));
    const env = { DEVELOPMENT_ISSUER: issuer.url };
    gateway = keep(await testGateway({ manifest, redisUrl: redis.url, env }));
    const finding =
      "Proposed\n- PUMP-C3, new: 1,895.00 → 1,850.25 (−5%)\n- VALVE-V7, usm: 70.00 → 66.50 (−5%)";
    const optimizer = keep(
      await standIn({ PRICE_OPTIMIZATION: answering({ ...GOOD_OUTPUTS.PRICE_OPTIMIZATION, finding }) }),
    );
    pricing = keep(await testGateway({ manifest: shippedMesh(optimizer.url), redisUrl: redis.url }));
    store = keep(new StoreView(redis.url));
    browser = await launchBrowser(chromium ?? "");
    keeping = await launchBrowser(chromium ?? "", { ignoreDefaultArgs: ["--disable-back-forward-cache"] });
    lee = await visitAs("lee");
  });

  afterAll(() => Promise.all([browser?.close(), keeping?.close()]));

  afterEach(() => {
    for (const { complaints } of visits) expect(complaints.splice(0)).toEqual([]);
  });

  async function visitAs(user?: string, options?: Parameters<Browser["newContext"]>[0]): Promise<Visit> {
    const visited = await visit(browser, gateway.url, user, options);
    visits.push(visited);
    return visited;
  }

  const waiting = (headers = ANN): Promise<Paused> =>
    pausedRun(gateway, { flow: "publishing", inputs: { items: [{ item_id: "A100", price: 10 }] } }, headers);
  const stateOf = async ({ approvalId }: Paused) =>
    (await get(gateway, `/api/v1/approvals/${approvalId}`, LEE)).json().state;
  const screenOf = ({ approvalId }: Paused) => `/console/approvals/${approvalId}`;

  describe("signing in", () => {
    test("comes back to the very address, with a cookie that no script can read", async () => {
      const { page, context } = await visitAs();
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
      const [key = ""] = await store.redis.keys("il:browser:*");
      expect(await store.redis.get(key)).toMatch(/^[\w-]{100,}$/);
    });

    test("begins with another secret than the one before, which is worth nothing any more", async () => {
      const { page, context } = await visitAs("kim");
      const secret = async () =>
        (await context.cookies(gateway.url)).find(({ name }) => name === "interlock-session")?.value ?? "";
      const before = await secret();
      await signIn(page, "kim", "/console/runs");
      expect(await secret()).not.toBe(before);
      const old = await get(gateway, "/api/v1/me", { cookie: `interlock-session=${before}` });
      expect([old.status, old.json().sign_in]).toEqual([401, "/console/sign-in"]);
    });

    test("out ends it, here and for what the page had shown", async () => {
      const { page, context } = await visitAs("kim");
      const cookies = await context.cookies(gateway.url);
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      expect((await get(gateway, "/api/v1/me", { cookie })).json()).toMatchObject({ subject: "kim" });
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL((url) => url.origin === issuer.url);
      expect((await get(gateway, "/api/v1/me", { cookie })).status).toBe(401);
      expect((await context.cookies(gateway.url)).filter(({ name }) => name.startsWith("interlock"))).toEqual(
        [],
      );
    });

    test("out leaves nothing that the browser's way back would show", async () => {
      await waiting();
      const { page } = await visit(keeping, gateway.url, "lee");
      const row = page.locator("tbody tr").first();
      await row.evaluate((shown) => shown.setAttribute("data-of-the-session", ""));
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL((url) => url.origin === issuer.url);
      await page.evaluate("history.back()").catch(() => undefined);
      await page.waitForURL("**/console/approvals", { waitUntil: "commit" });
      await page.locator("#who .sign-in").waitFor();
      expect(await page.locator("[data-of-the-session]").count()).toBe(0);
    });

    test("with somebody else's answer, or another browser's, comes to nothing", async () => {
      const { page } = await visitAs();
      await page.goto("/console/signed-in?code=stolen&state=stolen");
      await page.waitForURL("**/console/signed-out?why=begin_again");
      await page.goto("/console/sign-in?return=//elsewhere.test/");
      await page.click("button[value=ann]");
      await page.waitForURL(`${gateway.url}/`);
    });
  });

  describe("forged requests", () => {
    test("of other pages change nothing, and without the page's own header neither", async () => {
      const run = await waiting();
      const { page, context } = await visitAs("kim");
      const path = `${gateway.url}/api/v1/approvals/${run.approvalId}/decision`;
      const body = { decision: "reject", proposal_hash: run.hash };
      // Another port of this machine is the same site: the cookie goes along.
      await page.goto(`${issuer.url}/health`);
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
      const foreign = { ...own, origin: issuer.url };
      for (const headers of [withoutMark, withoutOrigin, foreign])
        expect([headers, (await ask(path, { method: "POST", headers, body })).status]).toEqual([
          headers,
          403,
        ]);
      expect(await stateOf(run)).toBe("pending");
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
      const { page, complaints } = await visitAs("kim");
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
      const run = await waiting();
      const { page } = lee;
      await page.goto("/console/approvals");
      await page.locator(`a[href="${screenOf(run)}"]`).click();
      const row = page.locator(".proposal tbody tr", { hasText: "A100" });
      await row.waitFor();
      expect(await row.innerText()).toMatch(/A100\s+10.*\s+12.*\s+\+20\.00%/s);
      await page.getByLabel("Comment").fill("Looks right.");
      await page.getByRole("button", { name: "Approve exactly this" }).click();
      await page.getByText("It was approved by lee").waitFor();
      await page.getByText("Comment: Looks right.").waitFor();
      await until(async () => (await store.published(run.runId)).length === 1);
      expect((await store.published(run.runId))[0]?.payload).toMatchObject({ approved_by: "lee" });
    });

    test("edits values in fields of their kind; what the check says stands beside them; the editor does not approve", async () => {
      const run = await waiting();
      const { page } = lee;
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
      type Answer = { thread_id: string; approval?: { id: string } };
      let asked: Answer | undefined;
      // Arguments are judged in a process that a busy machine takes a while to start.
      await until(async () => {
        const body = { message: "Ask the assistant whether somebody was told", session_id: randomUUID() };
        asked = (await post(gateway, "/api/v1/chat", body, ANN)).json() as Answer;
        return asked.approval !== undefined;
      });
      const { thread_id: run = "", approval } = asked ?? {};
      const { page } = await visitAs("max");
      await page.goto(`/console/approvals/${approval?.id}`);
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
      await toRest(gateway, run);
      await until(() => notified.length === 1);
      expect(notified).toEqual([{ to: "carol", urgent: true, tags: ["prices", "costs"], copies: 3 }]);
    });

    test("decides several at once; one that was decided meanwhile is told of, and not sent", async () => {
      const runs = [await waiting(), await waiting(), await waiting()] as const;
      const { page } = lee;
      await page.goto("/console/approvals");
      for (const { approvalId } of runs) await page.getByLabel(`${approvalId.slice(0, 8)}`).check();
      // After the page has looked for the last time.
      await page.context().setOffline(false);
      expect((await decide(gateway, runs[1], "reject", KIM)).status).toBe(200);
      await page.getByLabel("Comment").fill("All alike.");
      await page.getByRole("button", { name: /^Approve \d/ }).click();
      const outcomes = page.locator(".outcomes");
      for (const { approvalId } of [runs[0], runs[2]])
        await outcomes
          .locator("li", { hasText: approvalId.slice(0, 8) })
          .getByText("approved")
          .waitFor();
      expect(await Promise.all(runs.map(stateOf))).toEqual(["approved", "rejected", "approved"]);
    });

    test("is told of a proposal that has changed since it was opened, before anything is sent", async () => {
      const run = await waiting();
      const { page } = lee;
      await page.goto(screenOf(run));
      await page.getByRole("button", { name: "Approve exactly this" }).waitFor();
      const edits = [{ item_id: "A100", price: 19 }];
      expect((await decide(gateway, run, "edit", KIM, { edits })).status).toBe(200);
      await page.getByRole("button", { name: "Approve exactly this" }).click();
      await page.getByText("Nothing was sent").first().waitFor();
      await page.locator(".proposal tr", { hasText: "A100" }).getByText("19").waitFor();
      expect(await stateOf(run)).toBe("pending");
    });

    test("cannot approve what they asked for, and reads why", async () => {
      const run = await waiting(as("max", "analyst,pricing-lead"));
      const { page } = await visitAs("max");
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
      const run = await waiting();
      const kim = await visitAs("kim");
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
      const run = await waiting();
      const { page, context } = await visitAs("kim");
      await page.goto(screenOf(run));
      await page.getByRole("button", { name: "Edit values" }).click();
      await page.getByLabel("A100, price", { exact: true }).fill("14.25");
      const keys = await store.redis.keys("il:browser:*");
      await store.redis.del(...keys);
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
      // Everybody else was signed out with them.
      lee = await visitAs("lee");
    });

    test("whose sign-in is too old for the rule signs in anew, and comes back to the very proposal", async () => {
      const run = await pausedRun(gateway, { flow: "strict", inputs: { items: [] } });
      const { page, context } = await visitAs("kim");
      const signedInAt = async (from: typeof page) =>
        Date.parse(
          String(
            await from.evaluate(
              "fetch('/api/v1/me').then((a) => a.json()).then((me) => me.authenticated_at)",
            ),
          ),
        );
      const first = await signedInAt(page);
      await page.goto(screenOf(run));
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
      const run = await waiting();
      const { page } = await visitAs("eve");
      await page.getByText("Nothing waits for a decision").waitFor();
      await page.goto(screenOf(run));
      await page.getByText("nothing under this address").waitFor();
    });

    test("needs no mouse", async () => {
      const run = await waiting();
      const { page } = lee;
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
    let ole: Visit;

    beforeAll(async () => {
      ole = await visitAs("ole");
    });

    test("finds a run by what it was, in an address that can be sent", async () => {
      const failed = await startRun(gateway, { flow: "pricing", goals: ["explainer"] });
      const call = await check.next();
      const error = { code: "NO_DATA", message: `Nothing to explain. ${HOSTILE[0]}` };
      finish(call, {}, { status: "error", ok: false, error });
      await toRest(gateway, failed);
      const { page } = ole;
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
      const calls = [await check.next(), await check.next()];
      const callOf = (run: string) => calls.find(({ body }) => String(body.request_id).startsWith(run));
      const { page } = ole;
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

    test("sees how agents are, and what was refused", async () => {
      const { page } = ole;
      await page.goto("/console/operations");
      await page.locator("tr", { hasText: "optimizer" }).getByText("ready").first().waitFor();
      await page.getByText("token refused").or(page.getByText("requested")).first().waitFor();
    });
  });

  describe("an analyst", () => {
    test("reads an answer as it comes, and goes on in the same conversation", async () => {
      const { page } = await visitAs("ann");
      await page.goto("/console/conversations");
      await page.getByLabel("Message").fill("explain the drivers");
      await page.keyboard.press("Enter");
      const call = await check.next();
      call.res.write(event("token", { text: "Costs <b>rose</b>" }));
      await page.getByText("Costs <b>rose</b>").waitFor();
      finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
      await page.waitForURL(/\/console\/conversations\/console-\w+/);
      await page.locator('nav [aria-current="page"]', { hasText: "explain the drivers" }).waitFor();
      await page.reload();
      await page.locator(".question", { hasText: "explain the drivers" }).waitFor();
    });

    test("takes back by a click what was understood; a list of values sorts, and is a file", async () => {
      const { page } = await visit(browser, pricing.url);
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

  describe("every screen", () => {
    let run: Paused;
    let session: string;
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
    let ole: Visit;

    /** Goes to a screen, and waits until all of it is there. */
    async function whole({ page }: Visit, path: string): Promise<void> {
      await page.goto(path);
      await page.locator("main h1").waitFor();
      await page.waitForLoadState("networkidle");
    }

    beforeAll(async () => {
      session = randomUUID();
      const body = { flow: "publishing", session_id: session, message: ALL_HOSTILE.slice(0, 400) };
      run = await pausedRun(gateway, body);
      await decide(gateway, await waiting(), "reject", LEE, { note: ALL_HOSTILE });
      ole = await visitAs("ole");
    });

    test("shows whatever comes as text", async () => {
      for (const path of screens()) {
        await whole(ole, path);
        const seen = await ole.page.evaluate(
          "[window.taken ?? 0, document.querySelectorAll('main img, main script, main iframe, main a[href^=\"javascript\"]').length, document.title.includes('taken')]",
        );
        expect([path, seen]).toEqual([path, [0, 0, false]]);
      }
      await ole.page.goto(screenOf(run));
      await ole.page.locator(".proposal", { hasText: ALL_HOSTILE }).waitFor();
      await ole.page.goto(`/console/conversations/${session}`);
      await ole.page.locator(".question", { hasText: "<img src=x" }).waitFor();
    });

    test("has no barrier and nothing that does not fit, in daylight, at night, and on a phone", async () => {
      const looked = await visitAs("lee");
      const { page } = looked;
      for (const path of screens()) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.emulateMedia({ colorScheme: "light" });
        await whole(looked, path);
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
        expect([path, await barriers(looked)]).toEqual([path, []]);
        await page.emulateMedia({ colorScheme: "dark" });
        expect([path, "dark", await barriers(looked, "color-contrast")]).toEqual([path, "dark", []]);
        for (const width of [1440, 720, 360]) {
          // 720 is what a zoom of 200 % leaves of 1440.
          await page.setViewportSize({ width, height: 900 });
          const fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
          expect([path, width, fits]).toEqual([path, width, true]);
        }
      }
    }, 240_000);

    test("is searched for barriers: one that is made is found", async () => {
      await whole(ole, "/console/runs");
      await ole.page.evaluate("document.querySelector('.brand').replaceChildren()");
      expect(JSON.stringify(await barriers(ole))).toContain("link-name");
    });
  });
});
