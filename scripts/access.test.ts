import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "@jest/globals";

const dir = mkdtempSync(join(tmpdir(), "interlock-access-"));
const file = join(dir, "mesh.yaml");
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const script = fileURLToPath(new URL("./access.ts", import.meta.url));
const root = fileURLToPath(new URL("../", import.meta.url));

/** Runs the command. */
function access(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

/** The cells of the line whose rule is this one, with what is behind the last of them. */
const lineOf = (out: string, rule: string): string[] =>
  out
    .split("\n")
    .map((line) => line.split(/ {2,}/))
    .find((cells) => cells[2] === rule) ?? [];

test("says what a built-in role may do in the mesh that ships, and which role grants it", async () => {
  const { code, out } = await access("--role", "pricing_approver");
  expect(code).toBe(0);
  expect(out).toContain("pricing_approver is also analyst, viewer.");
  expect(lineOf(out, "approvals.decide: */*")).toEqual([
    ...["decide approvals", "pricing_approver", "approvals.decide: */*", "built in"],
    "pricing/publish, cloud-cost/create_alert, savings-actions/hand_over",
  ]);
  expect(lineOf(out, "sessions: own").slice(0, 2)).toEqual(["read, cancel", "viewer"]);
});

test("says which line of the manifest grants what", async () => {
  writeFileSync(
    file,
    `agents:
  policy: { url: "http://127.0.0.1:1", tasks: { POLICY_CHECK: Checks. } }
access:
  roles:
    emea:
      inherits: [viewer]
      tasks:
        - "policy/POL*"
      rows:
        region: [EMEA, APAC]
    idle: {}
`,
  );
  const { out } = await access("--role", "emea", "--file", file);
  expect(lineOf(out, "tasks: policy/POL*").slice(3)).toEqual([`${file}:8`, "policy/POLICY_CHECK"]);
  expect(lineOf(out, "rows: region").slice(3)).toEqual([`${file}:10`, "region: EMEA, APAC"]);
  expect((await access("--role", "idle", "--file", file)).out).toContain("It may do nothing.");
});

test("an unknown role, and no role, are errors that name the known ones", async () => {
  for (const args of [["--role", "analist"], []]) {
    const { code, out, err } = await access(...args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("viewer, analyst, pricing_approver, operator, admin");
  }
});
