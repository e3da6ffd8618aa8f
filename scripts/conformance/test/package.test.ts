import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { buildPackages } from "../../packages/build.ts";
import { agentWith } from "../agents/agent.ts";
import { floods, hangs, type Peer } from "../agents/index.ts";
import { serveAgent } from "../agents/serve.ts";

/** Inside the repository, so that the package finds the dependencies that are not ours in node_modules. */
const DATA = resolve(import.meta.dirname, "../../../.data");
let folder: string;

type Ended = { readonly code: number; readonly out: string; readonly peakMb: number };
function node(args: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    execFile(process.execPath, ["--import", join(folder, "peak.mjs"), ...args], (error, out, err) => {
      const peakMb = Number(/peak (\d+)/.exec(err)?.[1]) / 1024;
      done({ code: error === null ? 0 : Number(error.code), out, peakMb });
    });
  });
}
function conformance(...args: readonly string[]): Promise<Ended> {
  return node([join(folder, "built/conformance/dist/main.js"), ...args]);
}

beforeAll(async () => {
  mkdirSync(DATA, { recursive: true });
  folder = mkdtempSync(join(DATA, "conformance-"));
  // resourceUsage() would include the peak of the parent process.
  const status = `readFileSync("/proc/self/status", "utf8")`;
  const peak = `import { readFileSync } from "node:fs";
process.on("exit", () => console.error("peak", /VmHWM:\\s+(\\d+)/.exec(${status})?.[1]));
`;
  writeFileSync(join(folder, "peak.mjs"), peak);
  await buildPackages(join(folder, "built"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the published package", () => {
  test("has its command, and few dependencies", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "built/conformance/package.json"), "utf8"));
    expect(manifest.bin).toEqual({ "interlock-conformance": "dist/main.js" });
    expect(manifest).not.toHaveProperty("private");
    expect(manifest.dependencies).toEqual({
      "@interlock/contracts": manifest.version,
      yaml: expect.stringMatching(/^\^\d/),
    });
  });

  test("checks an agent", async () => {
    const good = await serveAgent(agentWith());
    const ended = await conformance("--target", `${good.url}=ECHO`, "--strict");
    await good.close();
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^PASS {2}1 of 1 target pass/m);
  });
});

describe("a hostile agent makes it neither large nor late", () => {
  const hostile = [...floods, ...hangs];
  const seen = new Map<Peer, Ended & { readonly ms: number }>();

  /** A few at a time, because most of the time is spent waiting. */
  beforeAll(async () => {
    const left = [...hostile];
    const worker = async (): Promise<void> => {
      for (let peer = left.shift(); peer !== undefined; peer = left.shift()) {
        const served = await peer.serve();
        const started = Date.now();
        const ended = await conformance(
          "--target",
          `${served.url}=ECHO`,
          "--timeout",
          "2",
          "--strict",
          "--quiet",
        );
        seen.set(peer, { ...ended, ms: Date.now() - started });
        await served.close();
      }
    };
    await Promise.all([worker(), worker(), worker()]);
  });

  test.each(hostile.map((peer) => [peer.name, peer] as const))("%s", (_name, peer) => {
    const { code, peakMb = 0, ms = 0 } = seen.get(peer) ?? {};
    expect(code).toBe(1);
    // Node itself, and four answers at a time of at most 16 MiB each.
    expect(peakMb).toBeLessThan(200);
    // None of them ends by itself.
    expect(ms).toBeLessThan(60_000);
  });
});
