/**
 * `npm run -s train:understanding [-- --messages 30000 --epochs 3 --dry --without strangers-4 --out DIR]`: trains the learnt reader of slots from
 * made-up messages of made-up domains and from what strangers wrote for the judge, and writes its model and report into
 * services/understanding/models. `--without` leaves a writer out, to measure: with `--out` beside what ships. The same sources give the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Model, parseModel } from "../../services/understanding/src/tagger/index.ts";
import { fail, say } from "../cli/src/console.ts";
import { fitTagger, SEED, WORLDS } from "./understanding/fit.ts";
import { Generator } from "./understanding/generate.ts";
import { judge } from "./understanding/judge.ts";
import { readSaid, readsRight } from "./understanding/strangers.ts";

const MODELS = join(import.meta.dirname, "../../services/understanding/models");
const HELD_OUT = 2_000;

function main(): void {
  const { values } = parseArgs({
    options: {
      messages: { type: "string", default: "30000" },
      epochs: { type: "string", default: "3" },
      dry: { type: "boolean", default: false },
      show: { type: "string" },
      without: { type: "string" },
      out: { type: "string", default: MODELS },
    },
  });
  const generator = new Generator(SEED, WORLDS);
  if (values.show) {
    for (let i = 0; i < Number(values.show); i++) {
      const { text, spans } = generator.next();
      say(
        `${text}\n    ${spans.map(({ start, end, op, slot }) => `[${text.slice(start, end)}] ${op} ${slot?.name ?? ""}`).join("; ")}`,
      );
    }
    return;
  }
  const { bytes, said, learnt } = fitTagger(
    {
      messages: Number(values.messages),
      epochs: Number(values.epochs),
      without: values.without === undefined ? [] : [values.without],
    },
    say,
  );
  const held = new Generator(SEED + 1000, 40);
  const judged = judge(
    Array.from({ length: HELD_OUT }, () => held.next()),
    parseModel(bytes),
  );
  const digest = createHash("sha256").update(bytes).digest("hex");
  const report = `# Model of the learnt reader of slots

Trained by \`npm run train:understanding\` on ${values.messages} made-up messages, and on ${learnt} of the ${said} that strangers wrote for the judge, or that were
read by rules once: those whose roles can be found from what is wanted. A set is learnt from once it has been scored.

| | |
|---|---|
| size | ${bytes.length} bytes |
| sha256 | \`${digest}\` |

Right on ${HELD_OUT} made-up messages over catalogues that training has not seen:

${judged}
`;
  say(report);
  if (values.without !== undefined) say(leftOut(values.without, parseModel(bytes)));
  if (values.dry) return;
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, "tagger.bin"), bytes);
  writeFileSync(join(values.out, "report.md"), report);
}

/** How many messages of a writer whom training has not seen are read right. */
function leftOut(writer: string, model: Model): string {
  const own = readSaid().filter((one) => one.writer === writer);
  return `${writer}, not learnt from: ${own.filter((one) => readsRight(one, model)).length} of ${own.length} read right`;
}

try {
  main();
} catch (error) {
  fail(error);
}
