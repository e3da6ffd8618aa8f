import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelPrices, ModelSpec } from "../mesh/index.ts";
import { NO_USAGE, type Spending, type UsageAmounts } from "../store/index.ts";
import type { AttemptFailure } from "./failure.ts";

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

/** Counts the tokens of texts, as some model would. */
export type CountTokens = (texts: readonly string[]) => Promise<number>;

/** What is known of an exchange, to judge a report by. */
export type Exchange = {
  /** What the model read and wrote, for an estimate. */
  read: readonly string[];
  wrote: string;
  /** Bytes of the request. */
  requestBytes: number;
  maxTokens: number;
};

/** A token stands for at least a byte of the request; providers add instructions of their own for tools and formats. */
const ADDED_TOKENS = 10_000;
/** Some servers do not hold their models to the limit, or count thoughts beside it. */
const OVERRUN = 10;
/** No tokenizer makes tokens of more bytes, on average over a text. */
const TOKEN_BYTES = 64;

/**
 * What an attempt used: as the provider reports it, and estimated where that cannot be true and the provider may have worked.
 * @param failure why it failed; absent where it was answered
 */
export async function usedBy(
  attempt: Exchange & { usage: LanguageModelV4Usage | undefined; failure: AttemptFailure | undefined },
  prices: ModelPrices | undefined,
  count: CountTokens,
): Promise<UsageAmounts> {
  const { usage, failure } = attempt;
  const counted = { ...NO_USAGE, calls: 1, failed: failure ? 1 : 0 };
  const reported = reportedTokens(usage, attempt);
  if (!reported && failure && !failure.rule.worked) return counted;
  const tokens = reported ?? (await estimatedTokens(attempt, count));
  return {
    ...counted,
    estimated: reported ? 0 : 1,
    inputTokens: tokens.input,
    cachedInputTokens: tokens.cachedInput,
    outputTokens: tokens.output,
    reasoningTokens: tokens.reasoning,
    nanoUsd: costOf(tokens, prices),
  };
}

/**
 * The most that a call can use: nothing is cached, all of its output is of the dearer kind, and there are two bytes to a token, which is
 * near enough without a tokenizer, whose thread may have to be started.
 */
export function mostUsed(
  texts: readonly string[],
  maxTokens: number,
  { prices }: Pick<ModelSpec, "prices">,
): Spending {
  const input = Math.ceil(bytesOf(texts) / 2);
  const dearest = prices ? Math.max(prices.output, prices.reasoning) : 0;
  const dearestInput = prices ? Math.max(prices.input, prices.cachedInput) : 0;
  return {
    nanoUsd: Math.ceil((input * dearestInput + maxTokens * dearest) * NANO_PER_TOKEN),
    tokens: input + maxTokens,
  };
}

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

/** What the provider reports, where that can be true. */
function reportedTokens(usage: LanguageModelV4Usage | undefined, about: Exchange): Tokens | undefined {
  const { total: input, cacheRead: cachedInput = 0 } = usage?.inputTokens ?? {};
  const { total: output, reasoning = 0 } = usage?.outputTokens ?? {};
  if (!isCount(input) || !isCount(output) || !isCount(cachedInput) || !isCount(reasoning)) return undefined;
  const readBytes = bytesOf(about.read);
  const isPossible =
    cachedInput <= input &&
    reasoning <= output &&
    input * TOKEN_BYTES >= readBytes &&
    input <= about.requestBytes + ADDED_TOKENS &&
    output * TOKEN_BYTES >= Buffer.byteLength(about.wrote) &&
    output <= about.maxTokens * OVERRUN + ADDED_TOKENS;
  return isPossible ? { input, cachedInput, output, reasoning } : undefined;
}

/** What an exchange took by our own tokenizer, which is not the provider's; never nothing. */
async function estimatedTokens(about: Exchange, count: CountTokens): Promise<Tokens> {
  const [input, output] = await Promise.all([
    counted(about.read, count),
    about.wrote === "" ? 0 : counted([about.wrote], count),
  ]);
  return { input, cachedInput: 0, output, reasoning: 0 };
}

/** Without the tokenizer: four bytes to a token, as in English. */
async function counted(texts: readonly string[], count: CountTokens): Promise<number> {
  try {
    return Math.max(1, await count(texts));
  } catch {
    return Math.max(1, Math.ceil(bytesOf(texts) / 4));
  }
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
