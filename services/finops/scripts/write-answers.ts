import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openFocus, samplePlace } from "../src/data/index.ts";
import type { FocusData } from "../src/data/open.ts";
import { answerQuery } from "../src/query/answer.ts";
import { wordsIn } from "../src/texts/language.ts";
import { tellCosts } from "../src/texts/tell.ts";
import { QUESTIONS } from "./questions.ts";

export const DOCUMENT = fileURLToPath(new URL("../../../docs/finops.md", import.meta.url));
const PLACE = /(?<=<!-- answers -->\n).*?(?=<!-- \/answers -->)/s;

/** What the document says of the questions: the words, what they mean, and the answer. */
export async function answers(data: FocusData): Promise<string> {
  const texts: string[] = [];
  for (const { asked, query } of QUESTIONS) {
    const answer = await answerQuery(data, query);
    texts.push(
      `**${asked}** \`${JSON.stringify(query)}\`\n\n<!-- not run: a test holds it to SQL of its own -->\n\`\`\`text\n${tellCosts(answer, wordsIn())}\n\`\`\`\n`,
    );
  }
  return `\n${texts.join("\n")}\n`;
}

export function withAnswers(document: string, text: string): string {
  return document.replace(PLACE, () => text);
}

/** Answers the questions of docs/finops.md anew: `npm run -s agent -- services/finops/scripts/write-answers.ts`. */
if (import.meta.main) {
  const data = await openFocus(samplePlace);
  writeFileSync(DOCUMENT, withAnswers(readFileSync(DOCUMENT, "utf8"), await answers(data)));
  data.close();
}
