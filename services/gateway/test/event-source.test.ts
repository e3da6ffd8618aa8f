import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { chromiumPath, openPage, type Page } from "../../../scripts/report/browser.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type Cut, type CuttingProxy, cuttingProxy } from "./support/cutting-proxy.ts";
import { testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { begin, callsOf, event, finish, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const chromium = chromiumPath(process.env);
if (chromium === undefined)
  process.stderr.write("No Chromium on this machine: EventSource is not tried in one.\n");

const WORDS = ["Prices ", "that ", "hold ", "– 가격 ", "🙂."];
const STREAM = "/v1/agent/chat/stream";

/**
 * What a page does to show a turn; the promise settles when the turn is over for it.
 * @param closes whether the page closes the source itself, rather than leave that to the gateway's 204
 */
const turnOf = (query: object, closes = true) => `new Promise((resolve) => {
  const seen = [];
  const source = new EventSource(${JSON.stringify(`${STREAM}?`)} + new URLSearchParams(${JSON.stringify(query)}));
  for (const name of ["AGENT_START", "LLM_TOKEN", "LLM_DONE", "AGENT_DONE", "DONE"])
    source.addEventListener(name, (e) => {
      seen.push([name, JSON.parse(e.data), e.lastEventId]);
      if (name === "DONE" && ${closes}) {
        source.close();
        resolve(seen);
      }
    });
  source.addEventListener("error", () => source.readyState === EventSource.CLOSED && resolve(seen));
})`;

type Seen = [name: string, data: unknown, id: string];

(chromium === undefined ? describe.skip : describe)("in a Chromium, an EventSource", () => {
  let agent: StandIn;
  let proxy: CuttingProxy;
  let page: Page;

  beforeAll(async () => {
    const redis = keep(await testRedis());
    agent = keep(
      await standIn({
        POLICY_CHECK: (call) => {
          begin(call, WORDS.map((text) => event("token", { text })).join(""));
          finish(call, GOOD_OUTPUTS.POLICY_CHECK);
        },
      }),
    );
    const gateway = keep(
      await testGateway({
        manifest: pricingMesh(agent.url),
        redisUrl: redis.url,
        env: { LOG_LEVEL: "warn" },
      }),
    );
    proxy = keep(await cuttingProxy(gateway.url, `GET ${STREAM}`));
    // Any document of the gateway's origin will do.
    page = await openPage(chromium ?? "", `${proxy.url}/healthz`, 400, 300);
    keep({ stop: () => page.close() });
  });

  /** Takes one turn while the network fails; says what the page saw and what the gateway was asked. */
  async function taken(cuts: readonly Cut[], more: object = {}, closes = true) {
    const query = { session_id: randomUUID(), message: "check the hierarchy 가격", ...more };
    const before = callsOf(agent, "POLICY_CHECK").length;
    const asked = proxy.requests.length;
    proxy.cut(...cuts);
    const seen = (await page.evaluate(turnOf(query, closes))) as Seen[];
    const runs = await ask(`${proxy.url}/api/v1/runs?session_id=${query.session_id}`);
    return {
      seen,
      named: (name: string) => seen.filter(([one]) => one === name).map(([, data]) => data),
      requests: proxy.requests.slice(asked),
      executions: callsOf(agent, "POLICY_CHECK").length - before,
      runs: Object(runs.json().runs).length,
    };
  }

  const FIRST: Cut = { behind: "retry: 1000\n\n" };
  const MIDDLE: Cut = { behind: 'data: "that "\n\nid:' };
  /** In the frame itself: its id has arrived, the event has not. */
  const BEFORE_DONE: Cut = { behind: "event: DONE\ndata: {" };

  test.each<[string, Cut[]]>([
    ["nowhere", []],
    ["before its request", ["unsent"]],
    ["before any byte of the answer", ["before"]],
    ["after the headers", [{ behind: "\r\n\r\n" }]],
    ["after the first block", [FIRST]],
    ["in the middle", [MIDDLE]],
    ["just before DONE", [BEFORE_DONE]],
    ["at every one of these places, one after another", ["before", FIRST, MIDDLE, BEFORE_DONE]],
  ])("that is cut off %s reads its turn to one DONE; one run, executed once", async (_where, cuts) => {
    const { seen, named, requests, executions, runs } = await taken(cuts);
    expect(named("DONE")).toEqual([expect.objectContaining({ next_action: "DONE" })]);
    expect(seen.at(-1)?.[0]).toBe("DONE");
    expect(named("LLM_TOKEN")).toEqual(WORDS);
    expect(named("LLM_DONE")).toContainEqual({ action: "DONE", message: WORDS.join("") });
    expect([executions, runs, requests.length]).toEqual([1, 1, cuts.length + 1]);
    const resumed = cuts.some((cut) => cut === FIRST || cut === MIDDLE || cut === BEFORE_DONE);
    expect(/^Last-Event-ID: \w+:\d+\r$/im.test(requests.at(-1) ?? "")).toBe(resumed);
  });

  test("that names its turn gets the same one, whatever gets lost", async () => {
    const { named, executions, runs } = await taken(["before", "unsent", "before"], { turn_id: "t-1" });
    expect([named("DONE").length, executions, runs]).toEqual([1, 1, 1]);
  });

  test("that its page does not close is stopped by the gateway, after one DONE", async () => {
    const { named, requests, executions } = await taken([MIDDLE], {}, false);
    expect([named("DONE").length, executions, requests.length]).toEqual([1, 1, 3]);
    expect(requests.at(-1)).toMatch(/^Last-Event-ID: \w+:\d+:done\r$/im);
  });

  test("works as the document has it", async () => {
    const document = readFileSync(new URL("../../../docs/turn-dialect.md", import.meta.url), "utf8");
    const code = /^```js\n(.*?)^```$/ms.exec(document)?.[1] ?? "";
    proxy.cut(MIDDLE);
    const shown = await page.evaluate(`new Promise((resolve) => {
      ${code}
      const shown = [];
      send("${randomUUID()}", "check the hierarchy", (one) => {
        shown.push(one);
        if (one.next) resolve(shown);
      });
    })`);
    expect(shown).toEqual([
      { status: "policy", text: "" },
      ...WORDS.map((_, index) => ({ text: WORDS.slice(0, index + 1).join("") })),
      { text: "passed: true\nviolations: (empty)", next: "DONE", buttons: [], state: {} },
    ]);
  });

  test("may say the same twice: each time it is a turn of its own", async () => {
    const session_id = randomUUID();
    const first = await taken([], { session_id });
    const second = await taken([], { session_id });
    expect([first.executions, second.executions, second.runs]).toEqual([1, 1, 2]);
  });
});
