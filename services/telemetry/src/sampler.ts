import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";

/**
 * The sampler that OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG name, as the specification has them; by default all, and what a caller
 * has decided stands.
 * @throws Error for another name, or a share that is none
 */
export function samplerOf(env: Readonly<Record<string, string | undefined>>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || "parentbased_always_on";
  const root = name.replace(/^parentbased_/, "");
  const own = rootOf(root, env.OTEL_TRACES_SAMPLER_ARG);
  return root === name ? own : new ParentBasedSampler({ root: own });
}

function rootOf(name: string, share: string | undefined): Sampler {
  switch (name) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratioOf(share));
    default:
      throw new Error(
        "OTEL_TRACES_SAMPLER names no sampler: always_on, always_off, traceidratio, or parentbased_…",
      );
  }
}

function ratioOf(share = "1"): number {
  const ratio = share === "" ? 1 : Number(share);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new Error("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
}
