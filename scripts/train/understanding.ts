/**
 * `npm run -s train:understanding [-- --messages 24000 --epochs 3 --dry]`: trains the learnt reader of slots from made-up messages of
 * made-up domains and writes its model and report into services/understanding/models. The same sources give the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatModel, parseModel } from "../../services/understanding/src/tagger/index.ts";
import { fail, say } from "../lib/console.ts";
import { Generator } from "./understanding/generate.ts";
import { judge } from "./understanding/judge.ts";
import { exampleOf, Trainer } from "./understanding/train.ts";

const MODELS = join(import.meta.dirname, "../../services/understanding/models");
const SEED = 20;
const WORLDS = 240;
const HELD_OUT = 2_000;
const MOST_WEIGHTS = 330_000;

function main(): void {
  const { values } = parseArgs({
    options: {
      messages: { type: "string", default: "30000" },
      epochs: { type: "string", default: "3" },
      dry: { type: "boolean", default: false },
      show: { type: "string" },
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
  const trainer = new Trainer(SEED + 1);
  const examples = Array.from({ length: Number(values.messages) }, () => exampleOf(generator.next()));
  say(`${examples.length} messages, ${process.cpuUsage().user / 1e6} s`);
  for (let epoch = 0; epoch < Number(values.epochs); epoch++) {
    let loss = 0;
    for (const example of examples) loss += trainer.learn(example);
    say(
      `epoch ${epoch + 1}: loss ${(loss / examples.length).toFixed(4)} a message, ${process.cpuUsage().user / 1e6} s`,
    );
  }
  const bytes = formatModel(trainer.weights, MOST_WEIGHTS);
  const held = new Generator(SEED + 1000, 40);
  const judged = judge(
    Array.from({ length: HELD_OUT }, () => held.next()),
    parseModel(bytes),
  );
  const digest = createHash("sha256").update(bytes).digest("hex");
  const report = `# Model of the learnt reader of slots

Trained by \`npm run train:understanding\` on ${examples.length} made-up messages. No sentence of an evaluation set is among them.

| | |
|---|---|
| size | ${bytes.length} bytes |
| sha256 | \`${digest}\` |

Right on ${HELD_OUT} made-up messages over catalogues that training has not seen:

${judged}
`;
  say(report);
  if (values.dry) return;
  mkdirSync(MODELS, { recursive: true });
  writeFileSync(join(MODELS, "tagger.bin"), bytes);
  writeFileSync(join(MODELS, "report.md"), report);
}

try {
  main();
} catch (error) {
  fail(error);
}
