import type { ModelPrices } from "../mesh/index.ts";

/** What one attempt used. */
export type Tokens = {
  input: number;
  /** Of the input. */
  cachedInput: number;
  output: number;
  /** Of the output. */
  reasoning: number;
};

/** A dollar for a million tokens is a thousand nanodollars for one. */
const NANO_PER_TOKEN = 1_000;

/** What tokens cost, in whole billionths of a dollar. */
export function costOf(tokens: Tokens, prices: ModelPrices | undefined): number {
  if (!prices) return 0;
  const { input, cachedInput, output, reasoning } = tokens;
  const perMillion =
    (input - cachedInput) * prices.input +
    cachedInput * prices.cachedInput +
    (output - reasoning) * prices.output +
    reasoning * prices.reasoning;
  return Math.ceil(perMillion * NANO_PER_TOKEN - 1e-6);
}

/** The most that a call can cost: nothing is cached, and all of its output is of the dearer kind. */
export function mostCost(input: number, output: number, prices: ModelPrices | undefined): number {
  if (!prices) return 0;
  const dearest = Math.max(prices.output, prices.reasoning);
  const dearestInput = Math.max(prices.input, prices.cachedInput);
  return Math.ceil((input * dearestInput + output * dearest) * NANO_PER_TOKEN);
}
