import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Tokens } from "./pricing.ts";

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

/** What the provider reports, where that can be true. */
export function reportedTokens(usage: LanguageModelV4Usage | undefined, about: Exchange): Tokens | undefined {
  const { total: input, cacheRead: cachedInput = 0 } = usage?.inputTokens ?? {};
  const { total: output, reasoning = 0 } = usage?.outputTokens ?? {};
  if (!isCount(input) || !isCount(output) || !isCount(cachedInput) || !isCount(reasoning)) return undefined;
  const readBytes = about.read.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
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
export async function estimatedTokens(about: Exchange, count: CountTokens): Promise<Tokens> {
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
    return Math.max(1, Math.ceil(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) / 4));
  }
}

/**
 * The most tokens that texts can be, near enough to reserve a budget by and without a tokenizer, whose thread may have to be started:
 * two bytes to a token.
 */
export function mostTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) / 2);
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
