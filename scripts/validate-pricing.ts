import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/paths.ts";
import { type Figures, runStudy, SEED } from "./pricing-study/study.ts";

/**
 * Simulates markets with known demand, prices them with the method as it was and as it is, and prints how often
 * each is right: `npm run -s validate:pricing`. Writes the table into docs/pricing.md. Exits with 1 if proposals
 * without a warning lose too often, or intervals of row 2 cover too little.
 */

const MOST_LOSING = 0.05;
const LEAST_COVERAGE = 0.93;
const PAGE = join(root, "docs/pricing.md");
const [BEGIN, END] = ["<!-- study: begin -->", "<!-- study: end -->"];

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
const plain = (value: number | undefined, text: (value: number) => string) =>
  value === undefined ? "" : text(value);

const COLUMNS: [string, (figures: Figures) => string][] = [
  ["row", ({ row }) => `${row}`],
  ["simulated market", ({ name }) => name],
  ["method", ({ method }) => method],
  ["worlds", ({ worlds }) => `${worlds}`],
  ["bias", ({ bias }) => plain(bias, (value) => value.toFixed(2))],
  ["coverage", ({ coverage }) => plain(coverage, percent)],
  ["identified", ({ identified }) => percent(identified)],
  ["proposals", ({ moved }) => percent(moved)],
  ["without warning", ({ unwarned }) => percent(unwarned)],
  ["of these losing", ({ losing }) => percent(losing)],
  ["promised", ({ promised }) => percent(promised)],
  ["realised", ({ realised }) => percent(realised)],
  ["regret", ({ regret }) => percent(regret)],
];

const started = performance.now();
const figures = await runStudy();
const lines = [
  `| ${COLUMNS.map(([title]) => title).join(" | ")} |`,
  `|${COLUMNS.map(() => "---").join("|")}|`,
  ...figures.map((one) => `| ${COLUMNS.map(([, cell]) => cell(one)).join(" | ")} |`),
];
console.log(lines.join("\n"));
console.log(`\nSeed ${SEED}, ${((performance.now() - started) / 1000).toFixed(0)} s.`);

const page = readFileSync(PAGE, "utf8");
const [head = "", rest = ""] = page.split(BEGIN);
const tail = rest.split(END)[1] ?? "";
writeFileSync(PAGE, `${head}${BEGIN}\n\n${lines.join("\n")}\n\n${END}${tail}`);

const now = figures.filter(({ method }) => method === "after");
const wrong = [
  ...now.filter(({ losing }) => losing > MOST_LOSING).map(({ name }) => `${name}: proposals lose too often`),
  ...now
    .filter(({ row, coverage }) => row === 2 && (coverage ?? 0) < LEAST_COVERAGE)
    .map(({ name }) => `${name}: intervals cover too little`),
];
for (const text of wrong) console.error(text);
process.exitCode = wrong.length > 0 ? 1 : 0;
