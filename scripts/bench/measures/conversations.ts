import { spreadOf } from "../load/figures.ts";
import { Connection } from "../load/http.ts";
import { readStream } from "../load/read-stream.ts";
import { stream } from "../load/requests.ts";
import type { Measure } from "./measure.ts";

/** Each conversation streams for a while, so that the first ones are active while the others begin. */
const TALK = { events: 20, every_ms: 20 };

type Talk = { readonly firstMs: number; readonly agentMs: number };

export const conversations: Measure = {
  name: "conversations",
  title: "100 conversations that begin in the same moment",
  async run(bench) {
    const url = (await bench.rig()).gateways[0] ?? "";
    const talkAtOnce = () => Promise.all(Array.from({ length: 100 }, () => talk(url)));
    await talkAtOnce();
    const talks = [...(await talkAtOnce()), ...(await talkAtOnce()), ...(await talkAtOnce())];
    const first = spreadOf(talks.map(({ firstMs }) => firstMs));
    const agent = spreadOf(talks.map(({ agentMs }) => agentMs));
    return { firstP50Ms: first.p50, firstP95Ms: first.p95, agentP50Ms: agent.p50, agentP95Ms: agent.p95 };
  },
};

/** @returns milliseconds, connection included, to the first event of the stream and to the agent's first */
async function talk(url: string): Promise<Talk> {
  const connection = new Connection(url);
  const since = performance.now();
  let firstMs = 0;
  const eventMs: number[] = [];
  await readStream(connection, stream("gateway", TALK), "gateway", {
    any: () => {
      firstMs ||= performance.now() - since;
    },
    event: () => eventMs.push(performance.now() - since),
  });
  connection.close();
  if (eventMs.length !== TALK.events) throw new Error(`a conversation had ${eventMs.length} events`);
  return { firstMs, agentMs: eventMs[0] ?? 0 };
}
