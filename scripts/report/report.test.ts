import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { standardRulePack } from "@interlock/pricing";
import { sampleInputs } from "@interlock/pricing/datasets";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { chromiumPath, openPage, type Page } from "./browser.ts";
import { reportOf } from "./report.ts";

let html: string;
beforeAll(async () => {
  const inputs = { ...sampleInputs(), catalogue: "Parts & <more>", currency: "EUR" };
  html = await reportOf(inputs, {
    datasets: undefined,
    rulePack: standardRulePack,
    now: "2026-01-01T00:00:00Z",
  });
});

test("the report is one page without scripts or anything from the network, and names its catalogue", () => {
  expect(html).not.toMatch(/<script|<link|<img|@import|src=/i);
  expect(html.replaceAll(/http:\/\/www\.w3\.org\/[a-z0-9/]+/gi, "")).not.toMatch(/https?:\/\//);
  expect(html).toContain("<h1>Prices: Parts &amp; &lt;more&gt;</h1>");
  expect(html).toContain("€");
  for (const title of ["Proposed prices", "Rules", "Why", "How sure"])
    expect(html).toContain(`<h2>${title}</h2>`);
  for (const picture of ["Demand for", "Profit of", "Tiers of", "Where the change of", "What the gain of"])
    expect(html).toContain(picture);
});

const chromium = chromiumPath(process.env);
if (chromium === undefined)
  process.stderr.write("No Chromium on this machine: the page is not opened in one.\n");

(chromium === undefined ? describe.skip : describe)("in a Chromium, the page", () => {
  const directory = mkdtempSync(join(tmpdir(), "report-"));
  let page: Page;
  beforeAll(async () => {
    const path = join(directory, "report.html");
    writeFileSync(path, html);
    page = await openPage(chromium ?? "", pathToFileURL(path).href, 1000, 1400);
  });
  afterAll(async () => {
    await page.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("does not overflow its window", async () => {
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const wide =
      "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1).length";
    expect(await page.evaluate(wide)).toBe(0);
  });

  test("has no empty paragraph, table or picture", async () => {
    const empty = `[...document.querySelectorAll("h1, h2, p, li, caption, th, td")].filter((one) => one.textContent.trim() === "").length`;
    expect(await page.evaluate(empty)).toBe(0);
    const marks = `[...document.querySelectorAll("figure svg")].map((svg) => svg.querySelectorAll("[aria-roledescription$=mark], [aria-roledescription=mark]").length + svg.querySelectorAll("path").length)`;
    const counts = await page.evaluate(marks);
    expect(Array.isArray(counts) && counts.length).toBeGreaterThanOrEqual(9);
    expect(Array.isArray(counts) && counts.every((count) => count > 3)).toBe(true);
  });

  test("has pictures whose axes of numbers say what they measure, in which unit", async () => {
    const titles = await page.evaluate(
      `[...document.querySelectorAll("figure svg")].map((svg) => [...svg.querySelectorAll(".role-axis-title text")].map((one) => one.textContent).filter((text) => text !== ""))`,
    );
    for (const axes of Array.isArray(titles) ? titles : [["none"]])
      expect(String(axes)).toMatch(
        /^(Price per unit \(EUR\),(Units|Profit) per period|Profit per period \(EUR\)|Tier.*,Price per unit \(EUR\)|Gain in profit .*\(EUR\))/,
      );
  });

  test("has pictures whose texts lie inside and do not cover each other", async () => {
    // Texts that touch by a pixel are no overlap; rotated labels are measured without their empty corners.
    const overlaps = `[...document.querySelectorAll("figure svg")].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll("text")].filter((one) => one.textContent !== "" && getComputedStyle(one).opacity !== "0");
      const boxes = texts.map((one) => ({ text: one.textContent, box: one.getBoundingClientRect(), turned: /rotate/.test(one.getAttribute("transform") ?? "") }));
      const outside = boxes.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(({ text }) => "outside: " + text);
      const flat = boxes.filter(({ turned }) => !turned);
      const covered = flat.flatMap((a, i) => flat.slice(i + 1).filter((b) =>
        Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 2 &&
        Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 4).map((b) => a.text + " | " + b.text));
      return [...outside, ...covered];
    })`;
    expect(await page.evaluate(overlaps)).toEqual([]);
  });
});
