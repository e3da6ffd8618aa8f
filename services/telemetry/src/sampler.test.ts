import { describe, expect, test } from "@jest/globals";
import { samplerOf } from "./sampler.ts";

const nameOf = (OTEL_TRACES_SAMPLER?: string, OTEL_TRACES_SAMPLER_ARG?: string) =>
  samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }).toString();

describe("the sampler", () => {
  test.each([
    [undefined, undefined, /^ParentBased.*root=AlwaysOn/],
    ["", "", /^ParentBased.*root=AlwaysOn/],
    ["always_on", undefined, /^AlwaysOn/],
    ["always_off", undefined, /^AlwaysOff/],
    ["traceidratio", "0.25", /^TraceIdRatioBased\{0\.25\}/],
    ["parentbased_traceidratio", "0.1", /^ParentBased.*root=TraceIdRatioBased\{0\.1\}/],
    ["parentbased_always_off", undefined, /^ParentBased.*root=AlwaysOff/],
  ])("is what %s with %s names", (name, share, expected) => {
    expect(nameOf(name, share)).toMatch(expected);
  });

  test.each([
    ["jaeger_remote", undefined, "OTEL_TRACES_SAMPLER "],
    ["traceidratio", "2", "OTEL_TRACES_SAMPLER_ARG"],
    ["traceidratio", "half", "OTEL_TRACES_SAMPLER_ARG"],
  ])("is refused where it is %s with %s", (name, share, variable) => {
    expect(() => nameOf(name, share)).toThrow(variable);
  });
});
