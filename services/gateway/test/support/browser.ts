import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "@jest/globals";
import { openPage, type Page } from "../../../../scripts/report/browser.ts";
import { until } from "./until.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export type Look = { readonly width: number; readonly scheme: "light" | "dark" };

/** Phone and desktop, in daylight and at night. */
export const LOOKS: readonly Look[] = [360, 1440].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
);

/** A page as somebody sees it who looks over its shoulder. */
export type WatchedPage = Page & {
  /** Errors and warnings of its console, and what it threw. */
  readonly complaints: string[];
  /** The URLs that it requested. */
  readonly requests: readonly string[];
  go(url: string): Promise<void>;
  look(look: Look): Promise<void>;
  /** Waits until an expression of the page is true. */
  sees(expression: string): Promise<void>;
  /** The text of an element. */
  text(selector: string): Promise<string>;
  /** Presses keys, by their names in the protocol, one after another. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** What axe-core has to say against the page. */
  barriers(): Promise<unknown>;
};

type Entry = { entry: { level: string; text: string; url?: string } };
type Thrown = { exceptionDetails: { text: string; exception?: { description?: string } } };

export async function watchedPage(chromium: string): Promise<WatchedPage> {
  const page = await openPage(chromium, "about:blank", 1440, 900);
  const { call, on, evaluate } = page;
  const complaints: string[] = [];
  const requests: string[] = [];
  on("Log.entryAdded", (params) => {
    const { entry } = params as Entry;
    if (entry.level !== "verbose") complaints.push(`${entry.text} ${entry.url ?? ""}`);
  });
  on("Runtime.consoleAPICalled", (params) => complaints.push(JSON.stringify(params)));
  on("Runtime.exceptionThrown", (params) => {
    const { text, exception } = (params as Thrown).exceptionDetails;
    complaints.push(`${text} ${exception?.description ?? ""}`);
  });
  on("Network.requestWillBeSent", (params) =>
    requests.push((params as { request: { url: string } }).request.url),
  );
  let loads = 0;
  on("Page.loadEventFired", () => (loads += 1));
  for (const domain of ["Log", "Runtime", "Network"]) await call(`${domain}.enable`, {});
  const sees = (expression: string) => until(async () => (await evaluate(`Boolean(${expression})`)) === true);
  return {
    ...page,
    complaints,
    requests,
    sees,
    async go(url) {
      const before = loads;
      await call("Page.navigate", { url });
      await until(() => loads > before);
    },
    async look({ width, scheme }) {
      const mobile = width < 600;
      await call("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile });
      await call("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }],
      });
    },
    text: async (selector) =>
      String(await evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText`)),
    async press(...keys) {
      for (const key of keys) {
        const text = key === "Enter" ? { text: "\r" } : {};
        await call("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, ...CODES[key], ...text });
        await call("Input.dispatchKeyEvent", { type: "keyUp", key, code: key, ...CODES[key] });
      }
    },
    async type(text) {
      await call("Input.insertText", { text });
    },
    async barriers() {
      await evaluate(`${AXE}; 0`);
      const found =
        await evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)]))`);
      expect(Array.isArray(found)).toBe(true);
      return found;
    },
  };
}

const CODES: Readonly<Record<string, object>> = {
  Tab: { windowsVirtualKeyCode: 9 },
  Enter: { windowsVirtualKeyCode: 13 },
};
