import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/paths.ts";

const UTTERANCES = join(root, "services/pricing/intents/utterances");

/**
 * English asks of 50 to 70 characters, from the training sentences of the pricing flow. Each is there once: nothing that is heard was
 * heard before.
 * @param categories all, if absent
 */
export function distinctSentences(categories?: readonly string[]): string[] {
  const files = readdirSync(UTTERANCES).filter((name) =>
    categories ? categories.some((category) => name === `en-${category}.jsonl`) : name.startsWith("en-"),
  );
  const texts = files
    .flatMap((name) => readFileSync(join(UTTERANCES, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => String(JSON.parse(line).text))
    .filter((text) => text.length >= 50 && text.length <= 70);
  return [...new Set(texts)];
}
