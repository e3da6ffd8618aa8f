/**
 * `npm run -s train:understanding [-- --messages 24000 --epochs 3 --dry --without strangers-4 --out DIR]`: trains the learnt reader of slots from
 * made-up messages of made-up domains and from what strangers wrote for the judge, and writes its model and report into
 * services/understanding/models. `--without` leaves a writer out, to measure: with `--out` beside what ships. The same sources give the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatModel, type Model, parseModel } from "../../services/understanding/src/tagger/index.ts";
import { fail, say } from "../lib/console.ts";
import { Generator } from "./understanding/generate.ts";
import { judge } from "./understanding/judge.ts";
import { randomFrom } from "./understanding/random.ts";
import { align, readSaid, readsRight, type Said } from "./understanding/strangers.ts";
import { type Example, exampleOf, Trainer } from "./understanding/train.ts";

const MODELS = join(import.meta.dirname, "../../services/understanding/models");
const SEED = 20;
const WORLDS = 240;
const HELD_OUT = 2_000;
const MOST_WEIGHTS = 330_000;
/** How often a message that a person wrote is learnt from in an epoch: made-up ones are many, and less like what comes. */
const TIMES = 4;
/** Enough to find the roles of what people wrote. */
const FIRST = 8_000;

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
  const examples = Array.from({ length: Number(values.messages) }, () => exampleOf(generator.next()));
  const said = readSaid().filter(({ writer }) => writer !== values.without);
  const strangers = rolesOf(said, examples.slice(0, FIRST));
  say(`${examples.length} made up, ${strangers.length} of ${said.length} by strangers, ${seconds()} s`);
  const trainer = new Trainer(SEED + 1);
  const random = randomFrom(SEED + 2);
  for (let epoch = 0; epoch < Number(values.epochs); epoch++) {
    let loss = 0;
    const all = [...examples, ...Array.from({ length: TIMES }, () => strangers).flat()];
    for (const example of random.sample(all, all.length)) loss += trainer.learn(example);
    say(`epoch ${epoch + 1}: loss ${(loss / all.length).toFixed(4)} a message, ${seconds()} s`);
  }
  const bytes = formatModel(trainer.weights, MOST_WEIGHTS);
  const held = new Generator(SEED + 1000, 40);
  const judged = judge(
    Array.from({ length: HELD_OUT }, () => held.next()),
    parseModel(bytes),
  );
  const digest = createHash("sha256").update(bytes).digest("hex");
  const report = `# Model of the learnt reader of slots

Trained by \`npm run train:understanding\` on ${examples.length} made-up messages, and on ${strangers.length} of the ${said.length} that strangers wrote for the judge: those whose
roles can be found from what is wanted. A set is learnt from once it has been scored.

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

/** What strangers wrote, with the roles that a first model finds most probable of those that make what is wanted. */
function rolesOf(said: readonly Said[], examples: readonly Example[]): Example[] {
  const first = new Trainer(SEED + 3);
  for (const example of examples) first.learn(example);
  const model = parseModel(formatModel(first.weights, MOST_WEIGHTS));
  return said.flatMap((one) => align(one, model) ?? []);
}

/** How many messages of a writer whom training has not seen are read right. */
function leftOut(writer: string, model: Model): string {
  const own = readSaid().filter((one) => one.writer === writer);
  return `${writer}, not learnt from: ${own.filter((one) => readsRight(one, model)).length} of ${own.length} read right`;
}

const seconds = (): number => Math.round(process.cpuUsage().user / 1e6);

try {
  main();
} catch (error) {
  fail(error);
}
