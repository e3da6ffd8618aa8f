import { beforeAll, describe, expect, test } from "@jest/globals";
import { chromiumPath } from "../../../scripts/report/browser.ts";
import { LOOKS, type WatchedPage, watchedPage } from "./support/browser.ts";
import { closingAtEnd } from "./support/closing.ts";
import { orderAnswer, withDialogues } from "./support/dialogue.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const chromium = chromiumPath(process.env);
if (chromium === undefined)
  process.stderr.write("No Chromium on this machine: the pages are not looked at in one.\n");

/** What the manifest says of an agent goes into the page; here it would like to be more than text. */
const HOSTILE = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>';
/** All of a long page is searched, which takes a busy machine its time. */
const SEARCH_MS = 240_000;
const PAGES = ["/", "/docs/api", "/docs/agents"];

(chromium === undefined ? describe.skip : describe)("in a Chromium", () => {
  const check = holding();
  let agent: StandIn;
  let gateway: TestGateway;
  let page: WatchedPage;

  beforeAll(async () => {
    const redis = keep(await testRedis());
    agent = keep(
      await standIn({ ...PUBLISHING, ORDER_TURN: answering(orderAnswer), POLICY_CHECK: check.handler }),
    );
    const mesh = withDialogues(publishingMesh(agent.url), agent.url);
    const away = { ...mesh.agents.explainer, url: "http://127.0.0.1:1", description: HOSTILE };
    const manifest = {
      ...mesh,
      agents: { ...mesh.agents, explainer: away },
      services: {
        ...mesh.services,
        policy: {
          ...mesh.services.policy,
          label: { en: HOSTILE, ko: HOSTILE },
          examples: ["check the hierarchy"],
        },
      },
    };
    gateway = keep(await testGateway({ manifest, redisUrl: redis.url }));
    page = await watchedPage(chromium ?? "");
    keep({ stop: () => page.close() });
  });

  const READY = "document.querySelectorAll('#agents li').length > 1";

  describe.each(PAGES)("the page %s", (path) => {
    test.each(LOOKS)(
      "has no barrier and nothing that does not fit, $scheme at $width pixels",
      async (look) => {
        await page.look(look);
        await page.go(gateway.url + path);
        if (path === "/") await page.sees(READY);
        await page.sees("document.fonts.status === 'loaded'");
        // All of it, opened.
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
        expect(await page.barriers()).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      },
      SEARCH_MS,
    );

    test(
      "is searched for barriers: one that is made is found",
      async () => {
        await page.evaluate("document.querySelector('.brand').replaceChildren()");
        expect(JSON.stringify(await page.barriers())).toContain("link-name");
      },
      SEARCH_MS,
    );

    test("asks nobody but its own gateway, and complains of nothing", () => {
      expect(page.requests.length).toBeGreaterThan(3);
      expect(page.requests.filter((url) => !url.startsWith(`${gateway.url}/`))).toEqual([]);
      expect(page.complaints).toEqual([]);
    });
  });

  describe("the first page", () => {
    beforeAll(async () => {
      await page.look({ width: 1440, scheme: "light" });
      await page.go(`${gateway.url}/`);
      await page.sees(READY);
    });

    test("tells of each agent whether it is ready, and why it is not", async () => {
      const told = await page.text("[data-agent=explainer]");
      expect(told).toMatch(/Not ready since \S+: it gives no answer/);
      expect(await page.text("[data-agent=policy]")).toMatch(/Ready since/);
      expect(await page.text("#state")).toContain("not ready: explainer");
      expect(await page.text("#health")).toMatch(/Redis\s+answers/);
    });

    test("shows what the manifest says as text, whatever it is", async () => {
      expect(await page.text("[data-agent=explainer]")).toContain(HOSTILE);
      expect(await page.text("[data-service=policy] h3")).toBe(HOSTILE);
      expect(await page.evaluate("document.title")).toBe("Interlock");
      expect(await page.evaluate("document.querySelectorAll('main img, main script').length")).toBe(0);
    });

    test("puts its own address and an example into its commands", async () => {
      const commands = await page.text("#commands");
      expect(commands).toContain(`'${gateway.url}/api/v1/chat'`);
      expect(commands).toContain("check the hierarchy");
    });
  });
});
