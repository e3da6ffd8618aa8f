import { type Agent, createAgent, TaskError, type TaskRequest } from "@interlock/agent-kit";
import { card, inputsSchema, outputsSchema } from "./card.ts";

type Inputs = { readonly text: string };

/** Words between two progress events. While an event waits to be sent, the run can be cancelled. */
const REPORT_EVERY = 1000;

/** The agent of MINIMAL. */
export function minimalAgent(): Agent {
  return createAgent({
    card,
    tasks: {
      MINIMAL: {
        description: "Counts the words of a text",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample: (): Inputs => ({ text: "the quick brown fox jumps over the lazy dog" }),
        run,
      },
    },
  });
}

async function* run({ inputs: { text } }: TaskRequest<Inputs>) {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) throw new TaskError("NO_WORDS", "The text has no words.");
  let longest = "";
  for (const [before, word] of words.entries()) {
    if (before % REPORT_EVERY === 0)
      yield { type: "progress", message: "words", completed: before, total: words.length } as const;
    if (word.length > longest.length) longest = word;
  }
  return { words: words.length, longest };
}
