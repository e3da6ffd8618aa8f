import { deflateRawSync, inflateRawSync } from "node:zlib";
import { GROUPS, type Lexicon } from "./features.ts";

/** A trained model as its file has it. Weights are signed bytes by feature, then head: the categories first, then the goals. */
export type IntentModelFile = {
  /** As in `en`, `ko`. */
  language: string;
  /** SHA-256 of all that the training read: sentences, lexicon, trainer. */
  training: string;
  categories: readonly string[];
  /** What a message may ask for, alone or with others. Empty where a set knows no goals. */
  goals: readonly string[];
  /** The category of a message that asks for several goals. */
  several?: string;
  /** Which goals, by index, messages ask for together, and the share of these messages that asks for exactly them. */
  together: readonly { goals: readonly number[]; share: number }[];
  /** What each group of features counts for. */
  groups: readonly number[];
  /** Divides the scores of the categories, so that a confidence is how often such an answer is right. */
  temperature: number;
  bias: readonly number[];
  /** What one step of a head's weights is worth. */
  steps: readonly number[];
  lexicon: Lexicon;
  /** The features' keys in ascending order, as differences: seven bits a byte, the lowest first. Deflated, in base64. */
  keys: string;
  /** Deflated, in base64. */
  weights: string;
};

/** @throws Error if the file is none of a model */
export function readModelFile(value: unknown): IntentModelFile {
  if (!isRecord(value)) throw broken("not an object");
  const { language, training, categories, goals, several, groups, temperature, bias, steps, lexicon } = value;
  const { together, keys, weights } = value;
  if (typeof language !== "string" || typeof training !== "string") throw broken("language, training");
  if (!isList(categories, isText) || categories.length < 2) throw broken("categories");
  if (!isList(goals, isText)) throw broken("goals");
  if (several !== undefined && !(isText(several) && categories.includes(several))) throw broken("several");
  if (!isList(together, isTogether)) throw broken("together");
  const heads = categories.length + goals.length;
  if (!isList(groups, isNumber) || groups.length !== GROUPS) throw broken("groups");
  if (!isNumber(temperature) || temperature <= 0) throw broken("temperature");
  if (!isList(bias, isNumber) || bias.length !== heads) throw broken("bias");
  if (!isList(steps, isNumber) || steps.length !== heads) throw broken("steps");
  if (!isRecord(lexicon)) throw broken("lexicon");
  const concepts: Record<string, readonly string[]> = {};
  for (const [concept, words] of Object.entries(lexicon)) {
    if (!isList(words, isText)) throw broken("lexicon");
    concepts[concept] = words;
  }
  if (!isText(keys) || !isText(weights)) throw broken("keys, weights");
  return {
    ...{ language, training, categories, goals, ...(several === undefined ? {} : { several }), together },
    ...{ groups, temperature, bias, steps, lexicon: concepts, keys, weights },
  };
}

/** The reverse of `unpackKeys`. `keys` ascend. */
export function packKeys(keys: readonly number[]): string {
  const bytes: number[] = [];
  let previous = 0;
  for (const key of keys) {
    let rest = key - previous;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
    previous = key;
  }
  return pack(Uint8Array.from(bytes));
}

export function unpackKeys(packed: string): Int32Array {
  const keys: number[] = [];
  let key = 0;
  let rest = 0;
  let shift = 0;
  for (const byte of unpack(packed)) {
    rest |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte > 0x7f) continue;
    key += rest;
    keys.push(key);
    rest = 0;
    shift = 0;
  }
  return Int32Array.from(keys);
}

export function packWeights(weights: Int8Array): string {
  return pack(new Uint8Array(weights.buffer));
}

export function unpackWeights(packed: string, expected: number): Int8Array {
  const weights = Int8Array.from(unpack(packed), (byte) => (byte << 24) >> 24);
  if (weights.length !== expected) throw broken("weights");
  return weights;
}

function pack(bytes: Uint8Array): string {
  return deflateRawSync(bytes, { level: 9 }).toString("base64");
}

function unpack(packed: string): Uint8Array {
  return inflateRawSync(Buffer.from(packed, "base64"));
}

function broken(what: string): Error {
  return new Error(`This is no intent model: ${what}.`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isTogether(value: unknown): value is { goals: readonly number[]; share: number } {
  return isRecord(value) && isList(value.goals, isNumber) && isNumber(value.share) && value.share > 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
