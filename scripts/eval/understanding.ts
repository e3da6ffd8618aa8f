/**
 * `npm run -s eval:understanding [-- --mesh mesh.yaml --flow pricing --kinds]`: what the rules and the learnt reader give, alone and
 * together, on the labelled sets. `--kinds` counts the errors of the learnt reader by slot.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  indexEntities,
  readSlots,
  type SlotReader,
  type Slots,
} from "../../services/gateway/src/language/index.ts";
import { loadMesh } from "../../services/gateway/src/mesh/index.ts";
import { loadTagger, type Model, tagSlots } from "../../services/understanding/src/tagger/index.ts";
import { isSame } from "./agreement.ts";
import { readJson, readLines } from "./lines.ts";

const { values: options } = parseArgs({
  options: {
    mesh: { type: "string", default: fileURLToPath(new URL("../../mesh.yaml", import.meta.url)) },
    flow: { type: "string", default: "pricing" },
    kinds: { type: "boolean", default: false },
  },
});

const HELD_BACK = new URL("held-back/", import.meta.url);
const SETS = ["slots", "lights-slots", "kitchen-slots", "machines-slots"];

type Expected = { id: string; text: string; slots: Slots; unsupported?: unknown[]; asks?: unknown };
type Outcome = {
  rules: boolean;
  tagger: boolean;
  agree: boolean;
  confidence: number;
  unsupported: boolean;
  missed: { rules: boolean; tagger: boolean };
  invented: { rules: boolean; tagger: boolean };
};

function main(): void {
  const reader = loadMesh(options.mesh, process.env).flows.get(options.flow)?.slots;
  if (!reader) throw new Error(`There is no flow "${options.flow}" that has slots.`);
  const model = loadTagger();
  const kinds = new Map<string, number>();
  const times: number[] = [];
  const all: Outcome[] = [];
  for (const set of SETS) {
    const outcomes = judgeSet(set, reader, model, kinds, times);
    all.push(...outcomes);
    print(set, outcomes);
  }
  print("all", all);
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
  console.log(`learnt reader: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  if (options.kinds)
    for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1]))
      console.log(`${String(count).padStart(4)} ${kind}`);
}

function judgeSet(
  set: string,
  reader: SlotReader,
  model: Model,
  kinds: Map<string, number>,
  times: number[],
): Outcome[] {
  const inputs = readJson(
    fileURLToPath(new URL(`${set === "slots" ? "slots" : set.replace("-slots", "")}-inputs.json`, HELD_BACK)),
  );
  const index = indexEntities(reader.slots, inputs);
  return readLines<Expected>(fileURLToPath(new URL(`${set}.jsonl`, HELD_BACK))).map((expected) => {
    const rules = readSlots(expected.text, reader, index);
    const begun = performance.now();
    const tagged = tagSlots(expected.text, reader, index, model);
    if (!tagged) throw new Error(`${expected.id} is too long`);
    times.push(performance.now() - begun);
    const isExpected = (expected.unsupported ?? []).length > 0;
    const slots = tagged.reading.slots;
    for (const name of new Set([...Object.keys(slots), ...Object.keys(expected.slots)])) {
      if (isSame(slots[name], expected.slots[name])) continue;
      const how =
        slots[name] === undefined ? "missing" : expected.slots[name] === undefined ? "invented" : "other";
      kinds.set(`${how} ${name}`, (kinds.get(`${how} ${name}`) ?? 0) + 1);
    }
    return {
      rules: isSame(rules.slots, expected.slots),
      tagger: isSame(slots, expected.slots),
      agree: isSame(rules.slots, slots),
      confidence: tagged.confidence,
      unsupported: isExpected,
      missed: {
        rules: isExpected && rules.unsupported.length === 0,
        tagger: isExpected && tagged.reading.unsupported.length === 0,
      },
      invented: {
        rules: !isExpected && rules.unsupported.length > 0,
        tagger: !isExpected && tagged.reading.unsupported.length > 0,
      },
    };
  });
}

function print(set: string, outcomes: readonly Outcome[]): void {
  const count = (is: (outcome: Outcome) => boolean): number => outcomes.filter(is).length;
  const share = (some: number, of: number): string =>
    `${some} of ${of} (${of === 0 ? "-" : ((100 * some) / of).toFixed(0)} %)`;
  const [total, agree, sure] = [
    outcomes.length,
    count((one) => one.agree),
    count((one) => one.agree || one.confidence >= 0.9),
  ];
  const unsupported = count((one) => one.unsupported);
  console.log(`${set}
  rules alone right            ${share(
    count((one) => one.rules),
    total,
  )}
  tagger alone right           ${share(
    count((one) => one.tagger),
    total,
  )}
  one of the two right         ${share(
    count((one) => one.rules || one.tagger),
    total,
  )}
  both agree                   ${share(agree, total)}
  right where both agree       ${share(
    count((one) => one.agree && one.rules),
    agree,
  )}
  agree, or tagger at least .9 ${share(sure, total)}, right ${share(
    count((one) => (one.agree || one.confidence >= 0.9) && one.tagger),
    sure,
  )}
  tagger at least .9           ${share(
    count((one) => one.confidence >= 0.9),
    total,
  )}, right ${share(
    count((one) => one.confidence >= 0.9 && one.tagger),
    count((one) => one.confidence >= 0.9),
  )}
  unsupported, missed          rules ${count((one) => one.missed.rules)}, tagger ${count((one) => one.missed.tagger)} of ${unsupported}
  unsupported, invented        rules ${count((one) => one.invented.rules)}, tagger ${count((one) => one.invented.tagger)} of ${total - unsupported}`);
}

main();
