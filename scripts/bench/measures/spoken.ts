import { join } from "node:path";
import injectionScorer from "../../../services/gateway/guards/injection/scorer.json" with { type: "json" };
import { injectionDetector, readScorer } from "../../../services/gateway/src/language/index.ts";
import { root } from "../../lib/paths.ts";
import { GATEWAY, SERVICES } from "../../lib/services.ts";
import { spreadOf } from "../load/figures.ts";
import { Connection } from "../load/http.ts";
import { readStream } from "../load/read-stream.ts";
import { nextId, turnOf } from "../load/requests.ts";
import { distinctSentences } from "../load/sentences.ts";
import { startUnpinned } from "../os/cores.ts";
import { startRig } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

const AT_ONCE = 100;
const ROUNDS = 3;
/** Rounds after which the gateway's code is compiled: its CPU per conversation falls up to here. */
const WARM_ROUNDS = 40;
/** Asks that one agent answers. */
const CATEGORIES = ["optimizer", "policy", "explainer", "sensitivity"];

/**
 * Like `conversations`, but each message is understood: the shipped manifest, guard, intents and slots; only the agents are stand-ins. The
 * mesh has all cores, as in `plans`: its gateway has processes of its own, which look into large values.
 */
export const spoken: Measure = {
  name: "spoken",
  title: "100 conversations in words that begin in the same moment, and go on with another constraint",
  async run({ cores, signal }) {
    const rig = await startUnpinned(cores, () =>
      startRig({
        cores: undefined,
        signal,
        manifest: join(root, "mesh.yaml"),
        agents: SERVICES.filter(({ name }) => name !== GATEWAY),
      }),
    );
    const [url = ""] = rig.gateways;
    const guard = injectionDetector(readScorer(injectionScorer));
    // A message that is refused begins no conversation, and the load generator writes ASCII alone.
    const sentences = distinctSentences(CATEGORIES).filter(
      (text) => /^[ -~]*$/.test(text) && !guard(text).flagged,
    );
    const talkAtOnce = (round: number) =>
      Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          talk(url, sentences[(round * AT_ONCE + index) % sentences.length] ?? "", 2 + (index % 20)),
        ),
      );
    try {
      const talks: Talk[] = [];
      for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
        const ended = await talkAtOnce(round);
        if (round >= WARM_ROUNDS) talks.push(...ended);
      }
      const first = spreadOf(talks.map(({ firstMs }) => firstMs));
      const next = spreadOf(talks.map(({ nextMs }) => nextMs));
      return { firstP50Ms: first.p50, firstP95Ms: first.p95, nextP50Ms: next.p50, nextP95Ms: next.p95 };
    } finally {
      await rig.stop();
    }
  },
};

type Talk = { readonly firstMs: number; readonly nextMs: number };

/** @returns milliseconds to the first event of the first turn, connection included, and to that of the second */
async function talk(url: string, message: string, percent: number): Promise<Talk> {
  const connection = new Connection(url);
  const session = nextId();
  const say = async (text: string): Promise<number> => {
    const since = performance.now();
    let firstMs = 0;
    await readStream(connection, turnOf(session, text), "gateway", {
      any: () => {
        firstMs ||= performance.now() - since;
      },
    });
    return firstMs;
  };
  const firstMs = await say(message);
  const nextMs = await say(`now with at most ${percent} %`);
  connection.close();
  return { firstMs, nextMs };
}
