/**
 * What the action does; it runs without GitHub, too:
 *
 * A token in AGENT_CONTRACT_TOKEN reaches the check by the environment.
 *
 *     CONFORMANCE_TARGETS=http://127.0.0.1:8081=PRICE_OPTIMIZATION node .github/actions/conformance/run.mjs
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { markdownOf } from "./summary.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const { env } = process;

const linesOf = (text = "") =>
  text.split(/[\n,]/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

/** A file is named as the workflow sees it; the check runs elsewhere. */
const absolute = (entry) => {
  const at = entry.indexOf("=");
  return at === -1 ? entry : `${entry.slice(0, at)}=${resolve(entry.slice(at + 1))}`;
};

const folder = mkdtempSync(join(env.RUNNER_TEMP || tmpdir(), "agent-conformance-"));
const report = join(folder, "report.json");
const junit = join(folder, "report.xml");
const strict = (env.CONFORMANCE_STRICT ?? "").trim().toLowerCase() === "true";

const wait = (env.CONFORMANCE_WAIT ?? "").trim();

const { status } = spawnSync(
  process.execPath,
  [
    join(root, "scripts/setup.mjs"),
    join(root, "scripts/conformance/src/main.ts"),
    ...linesOf(env.CONFORMANCE_TARGETS).map((target) => `--target=${target}`),
    ...linesOf(env.CONFORMANCE_INPUTS).map((entry) => `--inputs=${absolute(entry)}`),
    ...(strict ? ["--strict"] : []),
    ...(wait === "" || wait === "0" ? [] : [`--wait=${wait}`]),
    // Runners are slow, and busy with the job's other processes.
    "--timeout=120",
    `--json=${report}`,
    `--junit=${junit}`,
  ],
  { stdio: "inherit" },
);

if (existsSync(report)) {
  const summary = markdownOf(JSON.parse(readFileSync(report, "utf8")));
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summary);
  else process.stdout.write(`\n${summary}`);
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `report=${report}\njunit=${junit}\n`);
}
process.exitCode = status ?? 1;
