import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";

export type TokenRequest = { id: number; texts: readonly string[] };
export type TokenCount = { id: number; tokens: number };

/** Texts are counted in pieces of so many characters: a long text without spaces would take time in the square of its length. */
const PIECE = 2_000;

parentPort?.on("message", ({ id, texts }: TokenRequest) => {
  let tokens = 0;
  for (const text of texts)
    for (let at = 0; at < text.length; at += PIECE) tokens += countTokens(text.slice(at, at + PIECE), ALL);
  parentPort?.postMessage({ id, tokens } satisfies TokenCount);
});

/** What looks like a control token of a model is text like any other. */
const ALL = { disallowedSpecial: new Set<string>() };
