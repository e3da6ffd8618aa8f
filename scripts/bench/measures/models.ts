import { fileURLToPath } from "node:url";
import { type Counting, drive } from "../load/drive.ts";
import { spreadOf } from "../load/figures.ts";
import { Connection, type Request } from "../load/http.ts";
import type { Usage } from "../os/proc.ts";
import { type Peer, startPeer } from "../sut/peer.ts";
import { startRig } from "../sut/rig.ts";
import type { Measure, Values } from "./measure.ts";

const MANIFEST = fileURLToPath(new URL("../sut/models.yaml", import.meta.url));

/** Rounds in which all take turns; the first one is the compiler's. */
const ROUNDS = 5;
const CONNECTIONS = 16;
const TOKENS = 64;

/** About ninety tokens of a question. */
const PROMPT = "What do you make of these prices, and which of them would you change first? ".repeat(5);

/** Where the same request goes: to the model itself, through the gateway, or through a gateway of somebody else. */
type Way = { readonly name: string; readonly url: string; readonly fields: string; usage(): Usage };

type Load = { readonly stream: boolean; readonly connections: number };
type Cost = { readonly cpuUs: number; readonly p50Ms: number };

/**
 * The same model, asked directly, through `POST /v1/chat/completions`, and through a peer where there is one: same prompt, same answer of 64
 * tokens, same connections. One request at a time tells what each way adds to the time of an answer, sixteen at once what it takes of a
 * core. The gateway's figure includes its Redis, which keeps what was used; the peer keeps nothing.
 */
export const models: Measure = {
  name: "models",
  title: "A model's answer through the gateway, whole and streamed, against a direct call",
  async run({ cores, signal }) {
    const rig = await startRig({ cores, signal, manifest: MANIFEST });
    let peer: Peer | undefined;
    try {
      peer = await startPeer(`${rig.worker}/v1`, cores);
      const ways: Way[] = [
        { name: "direct", url: rig.worker, fields: "", usage: rig.agent },
        { name: "", url: rig.gateways[0] ?? "", fields: "", usage: rig.sut },
        ...(peer ? [{ name: "peer", url: peer.url, fields: peer.fields, usage: peer.usage }] : []),
      ];
      return await takeTurns(ways, signal);
    } finally {
      await peer?.stop();
      await rig.stop();
    }
  },
};

async function takeTurns(ways: readonly Way[], signal: AbortSignal): Promise<Values> {
  const values = new Map<string, number>();
  for (const stream of [false, true]) {
    const costs = new Map<Way, { cpuUs: number[]; p50Ms: number[] }>(
      ways.map((way) => [way, { cpuUs: [], p50Ms: [] }]),
    );
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [way, { cpuUs, p50Ms }] of costs) {
        const many = await costOf(way, { stream, connections: CONNECTIONS }, signal);
        const one = await costOf(way, { stream, connections: 1 }, signal);
        if (round === 0) continue;
        cpuUs.push(many.cpuUs);
        p50Ms.push(one.p50Ms);
      }
    }
    for (const [{ name }, { cpuUs, p50Ms }] of costs) {
      // Whatever else the machine does adds to a round: the least one has the least of it.
      values.set(named(stream, name, "cpuUs"), Math.min(...cpuUs));
      values.set(named(stream, name, "p50Ms"), Math.min(...p50Ms));
    }
    const of = (way: string, figure: string) => values.get(named(stream, way, figure)) ?? Number.NaN;
    values.set(named(stream, "added", "p50Ms"), of("", "p50Ms") - of("direct", "p50Ms"));
    if (ways.length > 2) {
      values.set(named(stream, "ofPeer", "cpu"), of("", "cpuUs") / of("peer", "cpuUs"));
      values.set(named(stream, "ofPeer", "p50"), of("", "p50Ms") / of("peer", "p50Ms"));
    }
  }
  return Object.fromEntries(values);
}

/** `syncCpuUs`, `streamPeerP50Ms`. */
function named(stream: boolean, way: string, figure: string): string {
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  return `${stream ? "stream" : "sync"}${capital(way)}${capital(figure)}`;
}

async function costOf(way: Way, { stream, connections }: Load, signal: AbortSignal): Promise<Cost> {
  const body = JSON.stringify({
    model: "m",
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [{ role: "user", content: PROMPT }],
  });
  const request: Request = { path: "/v1/chat/completions", body, fields: way.fields };
  const ms: number[] = [];
  const counting: Counting = { warmS: 0.4, seconds: 1.2, usages: [way.usage], signal };
  const { cpuS } = await drive({
    counting,
    clients: connections,
    async client(phase) {
      const connection = new Connection(way.url);
      while (phase() !== "over") {
        const since = performance.now();
        const { status, text } = await connection.exchange(request);
        if (status !== 200 || !isWhole(text, stream))
          throw new Error(`a model's answer is not whole (${way.name}): ${status} ${text.slice(0, 300)}`);
        if (phase() === "counting") ms.push(performance.now() - since);
      }
      connection.close();
    },
  });
  return { cpuUs: ((cpuS[0] ?? 0) * 1e6) / ms.length, p50Ms: spreadOf(ms).p50 };
}

/** Every token has to come through, and what was used. */
function isWhole(text: string, stream: boolean): boolean {
  const tokens = text.split(" token").length - 1;
  if (!text.includes('"prompt_tokens":90')) return false;
  return stream ? tokens === TOKENS && text.includes("data: [DONE]") : tokens === TOKENS - 1;
}
