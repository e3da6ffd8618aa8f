import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openFocus, samplePlace } from "../src/data/index.ts";
import type { FocusData } from "../src/data/open.ts";
import { answerOf } from "./answer-question.ts";
import { QUESTIONS } from "./questions.ts";

export const DOCUMENT = fileURLToPath(new URL("../../../docs/finops.md", import.meta.url));
const PLACE = /(?<=<!-- answers -->\n).*?(?=<!-- \/answers -->)/s;

/** What the document says of the questions: the words, what they mean, and the answer. */
export async function answers(data: FocusData): Promise<string> {
  const texts: string[] = [];
  for (const question of QUESTIONS) {
    const { asked, task, query } = question;
    const { text } = await answerOf(data, question);
    const means = `${task === undefined ? "" : `${task} `}${JSON.stringify(query)}`;
    texts.push(`**${asked}** \`${means}\`\n\n<!-- not run: tested -->\n\`\`\`text\n${text}\n\`\`\`\n`);
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
