import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { chromiumPath } from "../../../scripts/report/browser.ts";
import { type WatchedPage, watchedPage } from "./support/browser.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type CuttingProxy, cuttingProxy } from "./support/cutting-proxy.ts";
import { orderAnswer, withDialogues } from "./support/dialogue.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { as, decide, get, LEE } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, event, finish, gone, holding, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const chromium = chromiumPath(process.env);
if (chromium === undefined) process.stderr.write("No Chromium on this machine: nothing is asked in one.\n");

(chromium === undefined ? describe.skip : describe)("in a Chromium, on the first page,", () => {
  const check = holding();
  let gateway: TestGateway;
  let closed: TestGateway;
  let proxy: CuttingProxy;
  let page: WatchedPage;

  beforeAll(async () => {
    const redis = keep(await testRedis());
    const agent = keep(
      await standIn({ ...PUBLISHING, ORDER_TURN: answering(orderAnswer), POLICY_CHECK: check.handler }),
    );
    const mesh = withDialogues(publishingMesh(agent.url), agent.url);
    const answer = { literal: "Two hold:\n- gaps\n- bounds\nNo more." };
    const policy = { ...mesh.services.policy, examples: ["check the hierarchy"], answer };
    const manifest = { ...mesh, services: { ...mesh.services, policy } };
    const options = { manifest, redisUrl: redis.url };
    gateway = keep(await testGateway(options));
    closed = keep(await testGateway({ ...options, env: { AUTH: "required" } }));
    proxy = keep(await cuttingProxy(gateway.url, "POST /api/v1/chat"));
    page = await watchedPage(chromium ?? "");
    keep({ stop: () => page.close() });
  });

  afterEach(() => {
    expect(page.complaints.splice(0)).toEqual([]);
  });

  const LAST = ".turn:last-child";
  const ANSWERED = "document.querySelector('.turn') && !document.querySelector('[aria-busy]')";

  async function opened(url = gateway.url): Promise<void> {
    await page.go(`${url}/`);
    await page.sees("document.querySelectorAll('#services h3').length > 1");
  }

  /** Types a message and sends it, as people do. */
  async function say(message: string): Promise<void> {
    await page.evaluate("document.getElementById('message').focus()");
    await page.type(message);
    await page.press("Enter");
  }

  test("an answer appears as it comes, and is whole at its end", async () => {
    await opened();
    await say("check the hierarchy");
    const call = await check.next();
    call.res.write(event("token", { text: "The prices " }));
    await page.sees(`document.querySelector('${LAST} .text')?.textContent === 'The prices '`);
    expect(await page.text(`${LAST} .steps`)).toMatch(/policy\s+by policy, running/);
    call.res.write(event("token", { text: "<b>hold</b>." }));
    await page.sees(`document.querySelector('${LAST} .text').textContent === 'The prices <b>hold</b>.'`);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    await page.sees(ANSWERED);
    expect(await page.text(`${LAST} .question`)).toBe("check the hierarchy");
    expect(await page.text(`${LAST} .steps`)).toMatch(/by policy, done in/);
    const text = `document.querySelector('${LAST} .text')`;
    expect(await page.evaluate(`${text}.textContent`)).toBe("Two hold:\n- gaps\n- bounds\nNo more.");
    const items = `[...${text}.querySelectorAll('.item')].map((item) => item.textContent)`;
    expect(await page.evaluate(items)).toEqual(["- gaps", "- bounds"]);
    // Each on a line of its own, and no line more.
    expect(await page.text(`${LAST} .text`)).toBe("Two hold:\n- gaps\n- bounds\nNo more.");
    const height =
      "parseFloat(getComputedStyle(document.querySelector('.turn:last-child .text')).lineHeight)";
    expect(await page.evaluate(`Math.round(${text}.getBoundingClientRect().height / ${height})`)).toBe(4);
  });

  test("a stream that is cut is read on where it was cut", async () => {
    await opened(proxy.url);
    proxy.cut({ behind: '"token":"One ' });
    await say("check the hierarchy");
    const call = await check.next();
    call.res.write(event("token", { text: "One " }));
    call.res.write(event("token", { text: "two." }));
    await page.sees(`document.querySelector('${LAST} .text')?.textContent === 'One two.'`);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    await page.sees(ANSWERED);
    // The browser says that it was cut.
    expect(page.complaints.splice(0).join()).toMatch(/^(Failed to load resource: net::ERR_\w+ \S+,?)*$/);
  });

  test("Stop cancels what is under way", async () => {
    await opened();
    await say("check the hierarchy");
    const call = await check.next();
    await page.sees("!document.getElementById('stop').hidden");
    const left = gone(call);
    await page.evaluate("document.getElementById('stop').click()");
    await left;
    await page.sees(ANSWERED);
    expect(await page.text(LAST)).toContain("cancelled");
  });

  test("a pause says who may decide and what was not done, and the rest appears once it is decided", async () => {
    await opened();
    await say("publish the prices");
    await page.sees(`document.querySelector('${LAST} .approval')`);
    const told = await page.text(`${LAST} .approval`);
    expect(told).toContain("What comes next has not been done. It is for pricing-lead to decide");
    expect(await page.text(`${LAST} .steps`)).toMatch(/publish\s+waits for a decision/);
    expect(await page.text(`${LAST} .text`)).not.toContain("Published: true.");
    const [, approvalId = ""] = /console\/approvals\/(\w+)/.exec(told) ?? [];
    const { proposal_hash } = (await get(gateway, `/api/v1/approvals/${approvalId}`, LEE)).json();
    await decide(gateway, { approvalId, hash: String(proposal_hash) }, "approve", LEE);
    await page.sees(`document.querySelector('${LAST} .text').textContent.includes('Published: true.')`);
    expect(await page.text(`${LAST} .steps`)).toMatch(/publish\s+approved by lee; by price-book, done in/);
    expect(await page.evaluate(`document.querySelector('${LAST} .approval')`)).toBeNull();
  });

  test("a button takes the request back, and the rest says so", async () => {
    await opened();
    await say("publish the prices");
    await page.sees(`document.querySelector('${LAST} .approval button')`);
    await page.evaluate(`document.querySelector('${LAST} .approval button').click()`);
    await page.sees(
      `document.querySelector('${LAST}').textContent.includes('was withdrawn: nothing was done')`,
    );
    expect(await page.text(`${LAST} .steps`)).toMatch(/publish\s+withdrawn by \S+; not done/);
    expect(await page.evaluate(`document.querySelector('${LAST} .approval')`)).toBeNull();
  });

  test("the buttons of a dialogue send what they say, until there is something newer", async () => {
    await opened();
    await say("order tea");
    await page.sees(`${ANSWERED} && document.querySelector('.turn .buttons')`);
    expect(await page.text(`${LAST} .buttons`)).toBe("order done\norder cake");
    await page.evaluate("document.querySelectorAll('.turn .buttons button')[1].click()");
    await page.sees("document.querySelectorAll('.turn').length === 2");
    await page.sees(ANSWERED);
    expect(await page.text(`${LAST} .text`)).toBe("tea, cake. What else?");
    expect(await page.evaluate("document.querySelectorAll('.turn .buttons').length")).toBe(1);
    expect(await page.evaluate("document.activeElement.id")).toBe("message");
    await page.evaluate("document.getElementById('fresh').click()");
    expect(await page.evaluate("document.querySelectorAll('.turn').length")).toBe(0);
  });

  test("what the gateway refuses is said in its words", async () => {
    await opened();
    await page.evaluate("document.getElementById('message').removeAttribute('maxlength')");
    await say("x".repeat(16_001));
    await page.sees(ANSWERED);
    expect(await page.text(LAST)).toMatch(/It failed\..*\(invalid_request\)/s);
    expect(page.complaints.splice(0).join()).toContain("400");
  });

  test("without a token, a gateway that wants one tells nothing; with one, what its owner may see", async () => {
    await page.go(`${closed.url}/`);
    await page.sees("!document.getElementById('token-form').hidden");
    const all = await page.text("body");
    for (const name of ["optimizer", "waiter", "publishing"]) expect(all).not.toContain(name);
    expect(await page.text("#commands")).toContain("$TOKEN");
    const html = (where: TestGateway) => get(where, "/", { accept: "text/html" });
    expect((await html(closed)).text).toBe((await html(gateway)).text);
    await page.evaluate("document.getElementById('token').focus()");
    await page.type(as("ann").authorization?.replace("Bearer ", "") ?? "");
    await page.press("Enter");
    await page.sees("document.querySelectorAll('#agents li').length > 1");
    expect(await page.evaluate("document.getElementById('token-form').hidden")).toBe(true);
    expect(await page.evaluate("document.getElementById('token').value")).toBe("");
    await say("order tea");
    await page.sees(ANSWERED);
    expect(await page.text(`${LAST} .text`)).toBe("tea. What else?");
    expect(await page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]")).toEqual([
      "",
      0,
      0,
    ]);
    expect(page.complaints.splice(0).filter((one) => !one.includes("401"))).toEqual([]);
  });

  test("everything can be reached and used by keyboard", async () => {
    await opened();
    const wanted = await page.evaluate(
      "[...document.querySelectorAll('a[href], button, input, textarea')].filter((one) => one.checkVisibility()).length",
    );
    const reached = new Set<string>();
    for (let step = 0; step < Number(wanted); step += 1) {
      await page.press("Tab");
      reached.add(String(await page.evaluate("document.activeElement.outerHTML")));
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).not.toBe("none");
    }
    expect(reached.size).toBe(wanted);
    await page.evaluate("document.activeElement.blur(), document.querySelector('.skip').focus()");
    await page.press("Enter");
    expect(await page.evaluate("location.hash")).toBe("#main");
    await page.evaluate("document.querySelector('.example').focus()");
    await page.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("message");
    expect(await page.evaluate("document.getElementById('message').value")).not.toBe("");
  });
});
