import { runAsks } from "../load/asks.ts";
import { a2aAsk, agUiAsk, askOf, streamedAsk } from "../load/requests.ts";
import type { Measure } from "./measure.ts";

/** The same simple ask, one at a time, by the protocols of agents and user interfaces, whole and streamed, against the chat API. */
export const peers: Measure = {
  name: "peers",
  title: "A simple ask by A2A and by AG-UI, against the chat API",
  async run({ rig: start, signal }) {
    const rig = await start();
    const values: Record<string, number> = {};
    const ways = {
      chat: askOf.gateway,
      a2a: a2aAsk("SendMessage"),
      chatStream: streamedAsk,
      a2aStream: a2aAsk("SendStreamingMessage"),
      agUiStream: agUiAsk,
    };
    for (const [name, question] of Object.entries(ways)) {
      const result = await runAsks(
        { urls: rig.gateways, question, concurrency: 1 },
        { warmS: 2, seconds: 4, usages: [rig.sut], signal },
      );
      values[`${name}P50Ms`] = result.ms.p50;
      values[`${name}CpuUs`] = ((result.cpuS[0] ?? 0) * 1e6) / result.answered;
    }
    const ratio = (one: string, other: string) =>
      (values[`${one}CpuUs`] ?? 0) / (values[`${other}CpuUs`] ?? 1);
    return {
      ...values,
      a2aRatio: ratio("a2a", "chat"),
      a2aStreamRatio: ratio("a2aStream", "chatStream"),
      agUiStreamRatio: ratio("agUiStream", "chatStream"),
    };
  },
};
