import { metrics } from "@opentelemetry/api";
import { GEN_AI, GEN_AI_METRICS } from "./names.ts";

/** Tokens that one request to a model used. `cached` is a part of `input`, and `reasoning` of `output`. */
export type TokensUsed = { input: number; cached: number; output: number; reasoning: number };

export type TokenMeters = {
  record(used: TokensUsed, about: { provider: string; model: string }): void;
};

/** The bounds that the conventions recommend. */
const BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** The conventions' counters of tokens, and the histogram that they replace. Where no SDK was loaded they count nothing. */
export function tokenMeters(): TokenMeters {
  const meter = metrics.getMeter("interlock.gateway");
  const counter = (name: string, description: string) =>
    meter.createCounter(name, { unit: "{token}", description });
  const input = counter(GEN_AI_METRICS.inputTokens, "Input tokens");
  const output = counter(GEN_AI_METRICS.outputTokens, "Output tokens");
  const cached = counter(GEN_AI_METRICS.cachedTokens, "Input tokens that a provider had cached");
  const reasoning = counter(GEN_AI_METRICS.reasoningTokens, "Output tokens of reasoning");
  const histogram = meter.createHistogram(GEN_AI_METRICS.tokenUsage, {
    unit: "{token}",
    description: "Tokens of a request to a model",
    advice: { explicitBucketBoundaries: BOUNDS },
  });
  return {
    record(used, { provider, model }) {
      const about = { [GEN_AI.operation]: "chat", [GEN_AI.provider]: provider, [GEN_AI.requestModel]: model };
      const counted = { ...about, [GEN_AI.tokenModality]: "text" };
      for (const [meterOf, tokens] of [
        [input, used.input],
        [output, used.output],
        [cached, used.cached],
        [reasoning, used.reasoning],
      ] as const)
        if (tokens > 0) meterOf.add(tokens, counted);
      histogram.record(used.input, { ...about, [GEN_AI.tokenType]: "input" });
      histogram.record(used.output, { ...about, [GEN_AI.tokenType]: "output" });
    },
  };
}
