/**
 * Reads the slots of messages, as the gateway does: JSONL in and out.
 *
 *   npm run -s eval:slots -- --inputs INPUTS.json --in FILE --out PRED [--mesh mesh.yaml] [--flow pricing]
 *
 * With `--model` or `--model-script`, a model is asked where the gateway would ask one, what it adds is in the slots, and what it changed is
 * printed.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { indexEntities, loadReader, readSlots } from "../../services/gateway/src/language/index.ts";
import { loadMesh } from "../../services/gateway/src/mesh/index.ts";
import { Agreement, isAsPresent, isSame } from "./agreement.ts";
import { readJson, readLines, writeLines } from "./lines.ts";
import { Changes, linesOf, MODEL_OPTIONS, modelOf, understandingOf } from "./model.ts";

const { values: options } = parseArgs({
  options: {
    inputs: { type: "string" },
    in: { type: "string" },
    out: { type: "string" },
    mesh: { type: "string", default: fileURLToPath(new URL("../../mesh.yaml", import.meta.url)) },
    flow: { type: "string", default: "pricing" },
    ...MODEL_OPTIONS,
  },
});
if (!options.inputs || !options.in || !options.out) {
  console.error("Usage: npm run -s eval:slots -- --inputs INPUTS.json --in FILE --out PRED");
  process.exit(2);
}

const mesh = loadMesh(options.mesh, process.env);
const flow = mesh.flows.get(options.flow);
const reader = flow?.slots;
if (!reader) {
  console.error(`There is no flow "${options.flow}" that has slots.`);
  process.exit(2);
}
const inputs = readJson(options.inputs);
const index = indexEntities(reader.slots, inputs);
const model = await modelOf(options);
const opinions = model && (await understandingOf(model, options.flow));
const { tagger } = loadReader();
const changes = new Changes();
type Expected = { id: string; text: string; slots?: object; asks?: unknown; unsupported?: unknown };

const agreement = new Agreement();
const times: number[] = [];
const lines = readLines<Expected>(options.in);
const read: object[] = [];
for (const expected of lines) {
  const { id, text } = expected;
  const begun = performance.now();
  const { slots: local, unsupported, asks } = readSlots(text, { slots: reader, index, tagger }).reading;
  times.push(performance.now() - begun);
  const heard = await opinions?.begin(inputs).sayWithModel(text);
  const slots = heard?.source === "model" ? heard.slots : local;
  if (opinions)
    changes.note(
      isSame(local, slots),
      expected.slots && { before: isSame(expected.slots, local), after: isSame(expected.slots, slots) },
    );
  if (expected.slots) {
    agreement.judge("slots", expected.slots, slots);
    agreement.judge("asks", expected.asks, asks, isAsPresent);
    agreement.judge("unsupported", expected.unsupported, unsupported, isAsPresent);
  }
  read.push({
    id,
    slots,
    ...(unsupported.length > 0 && { unsupported }),
    ...(asks.length > 0 && { asks: asks.map(({ question }) => question) }),
  });
}
await opinions?.stop();
await model?.stop();
writeLines(options.out, read);
times.sort((a, b) => a - b);
const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
console.log(`${lines.length} messages, p95 ${(p95 * 1000).toFixed(0)} µs`);
for (const line of agreement.lines()) console.log(line);
if (opinions) for (const line of linesOf(changes, opinions.calls, "messages")) console.log(line);
