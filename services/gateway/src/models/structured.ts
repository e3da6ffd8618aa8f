import type { Validator } from "@interlock/contracts";
import type { Said } from "./attempt.ts";
import type { Prompt } from "./prompts/index.ts";
import type { Question } from "./sdk-prompt.ts";

export type Checked = { ok: true; object: unknown } | { ok: false; problem: string };

/** Models put JSON into a fence even where they are asked not to. */
const FENCE = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/;

/** The JSON of an answer, validated. */
export function checkedObject(text: string, validate: Validator<unknown>): Checked {
  let value: unknown;
  try {
    value = JSON.parse(FENCE.exec(text)?.[1] ?? text);
  } catch {
    return { ok: false, problem: "it is not JSON." };
  }
  const checked = validate(value);
  if (checked.ok) return { ok: true, object: checked.value };
  return { ok: false, problem: `at ${checked.problem.path || "/"}: ${checked.problem.message}.` };
}

/** The question again, with the invalid answer and what is wrong with it. */
export function repairQuestion(question: Question, said: Said, problem: string, prompt: Prompt): Question {
  return {
    ...question,
    messages: [
      ...question.messages,
      { role: "assistant", content: said.text },
      { role: "user", content: prompt.fill({ problem }) },
    ],
  };
}
