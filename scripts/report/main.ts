/**
 * `npm run -s report -- --inputs FILE --out report.html`: one self-contained page with the prices that the pricing agents
 * propose for the items in FILE (the JSON inputs of PRICE_OPTIMIZATION), their rules, reasons and risk. Without
 * `--inputs` it is about the sample. DATASETS_DIR and RULE_PACK are read as by the agents.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readRulePack } from "@interlock/pricing/datasets";
import { fail, say } from "../cli/src/console.ts";
import { reportOf } from "./report.ts";

const { values } = parseArgs({
  options: { inputs: { type: "string" }, out: { type: "string", default: "report.html" } },
});
try {
  const inputs = values.inputs === undefined ? undefined : JSON.parse(readFileSync(values.inputs, "utf8"));
  const page = await reportOf(inputs, {
    datasets: process.env.DATASETS_DIR,
    rulePack: readRulePack(process.env.RULE_PACK),
    now: new Date().toISOString(),
  });
  writeFileSync(values.out, page);
  say(`wrote ${values.out}`);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
