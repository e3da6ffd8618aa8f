import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.ts";
import { FAMILIES } from "./pricing-study/families/index.ts";
import { verdictOf } from "./pricing-study/goals.ts";
import { type Figures, runStudy, SEED } from "./pricing-study/study.ts";

/**
 * Simulates markets with known demand, prices them, and prints how often each family of them is priced right:
 *
 *     npm run -s validate:pricing                        # 200 worlds of each family; writes scripts/pricing-study/report.md
 *     npm run -s validate:pricing -- --quick             # 20 worlds: what the checks run; writes nothing
 *     npm run -s validate:pricing -- --seed 7 --full     # until 600 moves without a warning in each family, at most 3,000 worlds
 *     npm run -s validate:pricing -- --seed 7 --worlds 600 --family logit
 *
 * Exits with 1 if a family misses its goal, unless it says why (`open`).
 */

const QUICK = 20;
const WHOLE = 200;
const MANY_MOVES = 600;
const PAGE = join(root, "scripts/pricing-study/report.md");
const [BEGIN, END] = ["<!-- study: begin -->", "<!-- study: end -->"];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    seed: { type: "string", default: String(SEED) },
    worlds: { type: "string" },
    family: { type: "string", default: "" },
  },
});
const worlds = Number(values.worlds ?? (values.quick ? QUICK : WHOLE));
const seed = Number(values.seed);

const percent = (share: number | undefined) => (share === undefined ? "" : `${(100 * share).toFixed(0)}%`);
type Others = { readonly plain?: Figures; readonly bayes?: Figures };
const COLUMNS: readonly [string, (figures: Figures, others: Others) => string][] = [
  ["bias", ({ bias }) => (bias === undefined ? "" : bias.toFixed(2))],
  ["coverage", ({ coverage }) => percent(coverage)],
  ["band", ({ band }) => percent(band)],
  ["moved", ({ moved }) => percent(moved)],
  ["unwarned", ({ unwarned }) => percent(unwarned.share)],
  ["of these losing", ({ losing }) => (losing ? `${percent(losing.share)} (≤ ${percent(losing.high)})` : "")],
  ["warned, winning", ({ warnedWinning }) => percent(warnedWinning)],
  ["served", ({ served }) => percent(served)],
  ["regret", ({ regret }) => percent(regret)],
  ["log-log", (_, { plain }) => percent(plain?.regret)],
  ["Bayes", (_, { bayes }) => percent(bayes?.regret)],
  ["idle", ({ idle }) => percent(idle)],
];

const started = performance.now();

const families = FAMILIES.filter(({ name }) => name.includes(values.family));
const lines = [
  `|family|${COLUMNS.map(([title]) => title).join("|")}|goal|`,
  `|---|${COLUMNS.map(() => "---").join("|")}|---|`,
];
for (const line of lines) console.log(line);
let missed = 0;
let others: Others = {};
const scored: Figures["scored"][number][] = [];
const unwarned = values.full ? MANY_MOVES : 0;
for await (const figures of runStudy({ seed, families, worlds, unwarned })) {
  if (figures.method !== "shipped") {
    others = { ...others, [figures.method]: figures };
    continue;
  }
  if (figures.family.kind !== "hidden") scored.push(...figures.scored);
  const cells = COLUMNS.map(([, cell]) => cell(figures, others));
  const { met, text } = verdictOf(figures);
  if (!met && figures.family.open === undefined) missed += 1;
  const line = `|${figures.family.name}|${cells.join("|")}|${text}|`;
  lines.push(line);
  console.log(line);
}

/** How often the best prices by the estimates win where the sensitivity analysis is about so sure of them. */
const SCORES = [0.5, 0.7, 0.85, 0.95, 1] as const;
const scores = ["", "|score|worlds|of these winning|", "|---|---|---|"];
for (const [k, high] of SCORES.entries()) {
  const low = SCORES[k - 1] ?? 0;
  const within = scored.filter(({ score }) => score > low && score <= high);
  const won = within.filter(({ wins }) => wins).length;
  const share = within.length === 0 ? "" : percent(won / within.length);
  scores.push(`|${percent(low)} to ${percent(high)}|${within.length}|${share}|`);
}
for (const line of scores) console.log(line);
lines.push(...scores);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`\nSeed ${seed}, ${worlds} worlds of each family, ${seconds} s.`);

if (worlds === WHOLE && values.family === "" && seed === SEED) {
  const page = readFileSync(PAGE, "utf8");
  const [head = "", rest = ""] = page.split(BEGIN);
  writeFileSync(PAGE, `${head}${BEGIN}\n\n${lines.join("\n")}\n\n${END}${rest.split(END)[1] ?? ""}`);
}
if (missed > 0) console.error(`${missed} families miss their goal.`);
process.exitCode = missed > 0 ? 1 : 0;
