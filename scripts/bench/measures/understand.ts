import { join } from "node:path";
import injectionScorer from "../../../services/gateway/guards/injection/scorer.json" with { type: "json" };
import {
  indexEntities,
  injectionDetector,
  loadReader,
  readScorer,
  readSlots,
} from "../../../services/gateway/src/language/index.ts";
import { loadMesh } from "../../../services/gateway/src/mesh/index.ts";
import { root } from "../../lib/paths.ts";
import { spreadOf } from "../load/figures.ts";
import { distinctSentences } from "../load/sentences.ts";
import type { Measure } from "./measure.ts";

/** Over all messages in one batch, so that it takes some ten ticks of the clock that counts CPU. */
const ROUNDS = 8;
const BATCHES = 5;
/** V8 compiles during the first rounds, on threads of its own, whose time would count. */
const WARM_ROUNDS = 40;

/** What hearing a message costs, before anything is done for it. In this process, which has a core of its own. */
export const understand: Measure = {
  name: "understand",
  title: "Understanding a message of 50 to 70 characters: guard, intent, slots",
  async run() {
    const mesh = loadMesh(join(root, "mesh.yaml"), {});
    const flow = mesh.flows.get("pricing");
    const { intents, slots, defaultInputs = {} } = flow ?? {};
    if (!intents || !slots) throw new Error("the shipped flow has no intents or no slots");
    const entities = indexEntities(slots.slots, defaultInputs);
    const { tagger } = loadReader();
    const guard = injectionDetector(readScorer(injectionScorer));
    const messages = distinctSentences();
    const parts = {
      guard: (text: string) => guard(text),
      intent: (text: string) => intents.classify(text),
      slots: (text: string) => readSlots(text, { slots, index: entities, tagger }),
    };
    const hear = (text: string): void => {
      parts.guard(text);
      parts.intent(text);
      parts.slots(text);
    };
    for (let round = 0; round < WARM_ROUNDS; round++) for (const text of messages) hear(text);
    return {
      guardUs: cpuUs(messages, parts.guard),
      intentUs: cpuUs(messages, parts.intent),
      slotsUs: cpuUs(messages, parts.slots),
      allUs: cpuUs(messages, hear),
      intentP95Ms: spreadOf(messages.map((text) => timed(() => parts.intent(text)))).p95,
    };
  },
};

/** Microseconds of CPU for each message, in the batch that other programs disturbed least: they take caches, and add to every other. */
function cpuUs(messages: readonly string[], work: (text: string) => unknown): number {
  const batches = Array.from({ length: BATCHES }, () => {
    const before = process.cpuUsage();
    for (let round = 0; round < ROUNDS; round++) for (const text of messages) work(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (ROUNDS * messages.length);
  });
  return Math.min(...batches);
}

function timed(work: () => unknown): number {
  const since = performance.now();
  work();
  return performance.now() - since;
}
