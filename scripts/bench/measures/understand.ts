import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import injectionScorer from "../../../services/gateway/guards/injection/scorer.json" with { type: "json" };
import {
  indexEntities,
  injectionDetector,
  readScorer,
  readSlots,
} from "../../../services/gateway/src/language/index.ts";
import { loadMesh } from "../../../services/gateway/src/mesh/index.ts";
import { root } from "../../lib/paths.ts";
import { spreadOf } from "../load/figures.ts";
import type { Measure } from "./measure.ts";

const UTTERANCES = join(root, "services/pricing/intents/utterances");
const ROUNDS = 8;

/** What hearing a message costs, before anything is done for it. In this process, which has a core of its own. */
export const understand: Measure = {
  name: "understand",
  title: "Understanding a message of 50 to 70 characters: guard, intent, slots",
  async run() {
    // Hearing evaluates no expression.
    const evaluate = () => Promise.reject(new Error("no expression is evaluated here"));
    const mesh = loadMesh(join(root, "mesh.yaml"), {}, { evaluate });
    const flow = mesh.flows.get("pricing");
    const { intents, slots, defaultInputs = {} } = flow ?? {};
    if (!intents || !slots) throw new Error("the shipped flow has no intents or no slots");
    const entities = indexEntities(slots.slots, defaultInputs);
    const guard = injectionDetector(readScorer(injectionScorer));
    const messages = distinctMessages();
    const parts = {
      guard: (text: string) => guard(text),
      intent: (text: string) => intents.classify(text),
      slots: (text: string) => readSlots(text, slots, entities),
    };
    const hear = (text: string): void => {
      parts.guard(text);
      parts.intent(text);
      parts.slots(text);
    };
    for (let round = 0; round < ROUNDS; round++) for (const text of messages) hear(text);
    return {
      guardUs: cpuUs(messages, parts.guard),
      intentUs: cpuUs(messages, parts.intent),
      slotsUs: cpuUs(messages, parts.slots),
      allUs: cpuUs(messages, hear),
      intentP95Ms: spreadOf(messages.map((text) => timed(() => parts.intent(text)))).p95,
    };
  },
};

/** Sentences of the training files, each once: nothing that is heard was heard before in the same round. */
function distinctMessages(): string[] {
  const texts = readdirSync(UTTERANCES)
    .filter((name) => name.startsWith("en-"))
    .flatMap((name) => readFileSync(join(UTTERANCES, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => String(JSON.parse(line).text))
    .filter((text) => text.length >= 50 && text.length <= 70);
  return [...new Set(texts)];
}

/** Microseconds of CPU for each message. */
function cpuUs(messages: readonly string[], work: (text: string) => unknown): number {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) for (const text of messages) work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (ROUNDS * messages.length);
}

function timed(work: () => unknown): number {
  const since = performance.now();
  work();
  return performance.now() - since;
}
