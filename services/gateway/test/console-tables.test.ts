import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { chromiumPath } from "../../../scripts/report/browser.ts";
import { closingAtEnd } from "./support/closing.ts";
import { barriers, launchBrowser, visit } from "./support/console.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const chromium = chromiumPath(process.env);
if (chromium === undefined) process.stderr.write("No Chromium on this machine: no file is chosen in one.\n");

/** As a spreadsheet leaves it: semicolons, decimal commas, a row of nothing, a cell that is none, a column that nobody knows. */
const MESSY = "SKU;Preis neu;Bemerkung\r\nA100;10,5;x\r\n;;\r\nA200;teuer;\r\n";
const MENDED = MESSY.replace("teuer", "14");

(chromium === undefined ? describe.skip : describe)("a CSV file in a conversation", () => {
  let folder: string;
  let gateway: TestGateway;
  let agent: StandIn;
  let browser: Browser;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "interlock-console-tables-"));
    keep({ stop: () => rm(folder, { recursive: true, force: true }) });
    const redis = keep(await testRedis());
    agent = keep(await standIn(PUBLISHING));
    const mesh = publishingMesh(agent.url);
    const fields = { item_id: { columns: ["sku"], needed: true }, price: { kind: "number", needed: true } };
    const publishing = { ...mesh.flows.publishing, table: { rows: "items", fields } };
    const free = { ...mesh.flows.publishing, accepts: ["rows"] };
    const manifest = {
      ...mesh,
      flows: { ...mesh.flows, publishing, free },
      services: {
        ...mesh.services,
        free: { flow: "free", keywords: ["ship"], orders: { en: ["ship"] } },
      },
    };
    gateway = keep(await testGateway({ manifest, redisUrl: redis.url }));
    browser = await launchBrowser(chromium ?? "");
  });

  afterAll(() => browser?.close());

  const opened = async (options: Parameters<Browser["newContext"]>[0] = {}) => {
    const visited = await visit(browser, gateway.url, undefined, options);
    // While somebody listens, no chooser opens; one that begins to listen later may be late.
    visited.page.on("filechooser", () => undefined);
    await visited.page.goto("/console/conversations");
    await visited.page.locator("#message").waitFor();
    return visited;
  };

  function fileOf(name: string, text: string | Buffer): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** Chooses a file with the keyboard. */
  async function choose(page: Page, button: string, file: string): Promise<void> {
    await page.getByRole("button", { name: button }).focus();
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
    await chooser.setFiles(file);
  }

  const lastInputs = () => callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.body.inputs;

  test("is read, corrected and sent beside messages without a mouse, and nothing goes before it can be read", async () => {
    const looked = await opened();
    const { page, complaints } = looked;
    await choose(page, "Add a CSV file", fileOf("shop.csv", MESSY));
    await page.getByLabel("For", { exact: true }).selectOption("publishing");
    await page.getByRole("alert").getByText("no column is for price").waitFor();
    const column = page.getByLabel("What the column Preis neu is for");
    await column.focus();
    await column.press("p");
    await page.getByText("Line 4, column 6: Preis neu (price) is a text, and must be a number").waitFor();
    expect(await barriers(looked)).toEqual([]);

    const calls = callsOf(agent, "PRICE_OPTIMIZATION").length;
    await page.getByLabel("Message").fill("publish the prices");
    await page.keyboard.press("Enter");
    await page.getByText("has to be corrected or removed first").waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("publish the prices");
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(calls);

    await choose(page, "Add a CSV file", fileOf("shop.csv", MENDED.replace("Preis neu", "Price")));
    await page.getByRole("status").getByText("shop.csv: 2 rows as items").waitFor();
    expect(await page.getByRole("status").getByText("not used: Bemerkung").count()).toBe(1);
    expect(await barriers(looked)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.getByLabel("Message").press("Enter");
    await page.getByRole("link", { name: "It waits for a decision" }).waitFor();
    expect(lastInputs()).toEqual({
      items: [
        { item_id: "A100", price: 10.5 },
        { item_id: "A200", price: 14 },
      ],
    });
    await page.getByRole("button", { name: "Remove the file" }).press("Enter");
    await page.getByLabel("Your own data").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("may be dropped; a flow without fields takes each column under its name, or not at all; in Korean", async () => {
    const looked = await opened({ locale: "ko-KR" });
    const { page, complaints } = looked;
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(MENDED)}], "shop.csv"));
      return data;
    })()`);
    await page.locator(".talk form").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByRole("status").getByText("shop.csv: 2행을 읽음").waitFor();
    await page.getByLabel("Bemerkung 열의 쓰임").selectOption({ label: "쓰지 않음" });
    await page.getByRole("status").getByText("쓰지 않음: Bemerkung").waitFor();
    await page.getByLabel("Bemerkung 열의 쓰임").selectOption("bemerkung");
    await page.getByRole("status").getByText("Bemerkung → bemerkung (글자)").waitFor();
    expect(await barriers(looked)).toEqual([]);
    await page.getByLabel("메시지").fill("ship the prices");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "결정 대기" }).waitFor();
    expect(lastInputs()).toEqual({
      rows: [
        { sku: "A100", preis_neu: 10.5, bemerkung: "x" },
        { sku: "A200", preis_neu: 14 },
      ],
    });
    expect(complaints).toEqual([]);
  });

  test("is refused where it is no text, and the page says what to do", async () => {
    const { page } = await opened();
    await choose(page, "Add a CSV file", fileOf("latin.csv", Buffer.from("Stück\n1\n", "latin1")));
    await page.getByRole("alert").getByText("Save it as “CSV UTF-8”").waitFor();
    await choose(page, "Add a CSV file", fileOf("large.csv", `a\n${"1\n".repeat(300_000)}`));
    await page.getByRole("alert").getByText("more than 500 kB").waitFor();
  });
});
