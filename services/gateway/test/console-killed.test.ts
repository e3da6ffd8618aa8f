import { readFileSync } from "node:fs";
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { freePort } from "../../../scripts/cli/src/ports.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type ConsoleMesh, consoleMesh, describeConsole, screenOf } from "./support/console-mesh.ts";
import { type GatewayOptions, type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { get, LEE, type Paused, startRun, toRest } from "./support/people.ts";
import { finish } from "./support/stand-in.ts";

const keep = closingAtEnd();

describeConsole("the console, whose gateway is killed,", () => {
  let mesh: ConsoleMesh;
  let gateway: GatewayProcess;
  let port: number;

  /** At the same address, as a platform starts it again. */
  const start = async ({ env, ...options }: GatewayOptions): Promise<GatewayProcess> => {
    gateway = await gatewayProcess({ ...options, env: { ...env, PORT: String(port), LEASE_MS: "5000" } });
    return gateway;
  };
  const killed = async () => {
    gateway.child.kill("SIGKILL");
    await gateway.exited;
  };
  const restarted = async () => keep(await start(mesh.options));

  beforeAll(async () => {
    port = await freePort("127.0.0.1");
    mesh = await consoleMesh(keep, start);
  });

  afterEach(async () => expect(await mesh.leave()).toEqual([]));

  /** On a machine that is busy for seconds, the replica may lose a step and call for it once more. */
  async function answeredFromNowOn(): Promise<void> {
    for (;;) finish(await mesh.check.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  }

  /** Opens a proposal, ready to be decided. */
  async function opened(): Promise<Paused & { page: Page }> {
    const run = await mesh.waiting();
    const { page } = await mesh.visitAs("lee");
    await page.goto(screenOf(run));
    await page.getByRole("button", { name: "Approve exactly this" }).waitFor();
    return { ...run, page };
  }

  /** The page says who decided, and it was decided once. */
  async function decidedOnce({ page, ...run }: Paused & { page: Page }): Promise<void> {
    await page.getByText("It was approved by lee").waitFor();
    expect((await toRest(gateway, run.runId)).at(-1)).toMatchObject({ type: "run_finished" });
    expect(await mesh.store.published(run.runId)).toHaveLength(1);
    const { entries } = (await get(gateway, `/api/v1/approvals/${run.approvalId}/audit`, LEE)).json();
    const actions = (entries as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action === "approved")).toHaveLength(1);
  }

  test("goes on with a timeline where it was, without being loaded anew", async () => {
    const { page } = await mesh.visitAs("ole");
    const run = await startRun(gateway, { flow: "pricing", goals: ["explainer"] });
    await mesh.check.next();
    await page.goto(`/console/runs/${run}`);
    const step = page.locator(".timeline li", { hasText: "explain" });
    await step.locator(".bar.busy").waitFor();
    await page.evaluate("window.stayed = true");
    await killed();
    await restarted();
    const again = await mesh.check.next();
    // The attempt that was lost, and the one of whoever took the run over.
    await step.locator(".bar.bad").waitFor();
    await step.locator(".bar.busy").waitFor();
    finish(again, GOOD_OUTPUTS.PRICE_EXPLANATION);
    void answeredFromNowOn();
    await step.locator(".bar.ok").waitFor();
    await page.locator(".lead", { hasText: "finished" }).waitFor();
    expect(await page.evaluate("window.stayed")).toBe(true);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the log" }).click(),
    ]);
    const seqs = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  });

  test("after it took a decision and before it answered: the page finds that it was taken", async () => {
    const run = await opened();
    const { page } = run;
    await page.route(
      "**/decision",
      async (route) => {
        expect((await route.fetch()).status()).toBe(200);
        await killed();
        await route.abort("connectionreset");
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Approve exactly this" }).click();
    await page.getByText("it may have taken your decision or not").waitFor();
    await restarted();
    await decidedOnce(run);
  });

  test("before it took a decision: the page says so, and the same click decides once", async () => {
    const run = await opened();
    const { page } = run;
    await page.getByLabel("Comment").fill("Still here.");
    await killed();
    await page.getByRole("button", { name: "Approve exactly this" }).click();
    await page.getByText("it may have taken your decision or not").waitFor();
    await restarted();
    expect(await mesh.stateOf(run)).toBe("pending");
    expect(await page.getByLabel("Comment").inputValue()).toBe("Still here.");
    await page.getByRole("button", { name: "Approve exactly this" }).click();
    await page.getByText("Comment: Still here.").waitFor();
    await decidedOnce(run);
  });
});
