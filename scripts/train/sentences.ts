import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/paths.ts";

/** A message, or the turns of a conversation, that somebody wrote for training. */
export type Sentence = { kind: string; lang: string; turns: readonly string[]; attack: boolean };

export const injectionDir = join(root, "services/gateway/guards/injection");

/** The attacks, then the harmless messages, each in the order of its file. */
export function readSentences(): Sentence[] {
  return [...read("attacks.jsonl", true), ...read("harmless.jsonl", false)];
}

function read(file: string, attack: boolean): Sentence[] {
  const lines = readFileSync(join(injectionDir, file), "utf8").trim().split("\n");
  return lines.map((line) => {
    const { kind, lang, text, turns = [text] } = JSON.parse(line);
    return { kind, lang, turns, attack };
  });
}
