import { setImmediate as nextTurn } from "node:timers/promises";
import { numbersStand } from "../language/index.ts";
import type { ModelGateway, ModelMessage, Prompts } from "../models/index.ts";
import type { Round, RoundsModel } from "../runs/index.ts";
import { isClearOrder } from "./gate/clear-order.ts";
import { asData, buildMessages } from "./memory/build-messages.ts";
import { LANGUAGES, languageOf } from "./wording.ts";

export type RoundsModelDeps = { models: Pick<ModelGateway, "asks" | "generate">; prompts: Prompts };

const TASK = "rounds";

/** Characters of results that an answer's numbers are looked for in, and sentences that are looked at one by one. */
const MOST_GIVEN = 32_000;
const MOST_SENTENCES = 40;

/** The model of tool-calling agents: what it reads, and what of its words is shown. */
export function roundsModel({ models, prompts }: RoundsModelDeps): RoundsModel {
  const prompt = prompts.get(TASK);
  return {
    asks: ({ step, order, run }) =>
      models.asks({ task: TASK, hint: order.model.hint ?? step.model, sessionId: run.sessionId }),
    async next({ step, order, run, history, tools, rounds, signal }) {
      const { message } = order;
      const system = prompt.fill({
        instructions: step.instructions || "You are an assistant.",
        language: LANGUAGES[languageOf(message)],
      });
      const context = ["The tools of this request are all that there are."];
      const session = { turns: history };
      const messages: ModelMessage[] = [
        ...buildMessages({ system, context, session, message: { runId: run.id, text: message } }),
        ...rounds.flatMap(messagesOf),
      ];
      const { text, toolCalls, model } = await models.generate({
        task: TASK,
        messages,
        tools: tools.map(({ name, description, parameters }) => ({
          ...{ name, description, inputSchema: { ...parameters } },
        })),
        hint: order.model.hint ?? step.model,
        caller: { tenant: run.keys.tenant, issuer: order.issuer, subject: order.subject },
        sessionId: run.sessionId,
        runId: run.id,
        trace: run.trace,
        prompt,
        disableFallbacks: order.disableFallbacks,
        signal,
      });
      return { text, calls: toolCalls, model };
    },
    held,
    isOrder: isClearOrder,
  };
}

function messagesOf({ said, results }: Round): ModelMessage[] {
  return [
    { role: "assistant", content: said.text, toolCalls: said.calls },
    {
      role: "tool",
      results: results.map(({ id, name, text }) => ({
        ...{ id, name, output: asData({ from: `tool ${name}`, text }) },
      })),
    },
  ];
}

async function held(text: string, given: readonly string[]): Promise<{ text: string; leftOut: number }> {
  const known = given.join("\n").slice(0, MOST_GIVEN);
  if (numbersStand(text, known)) return { text, leftOut: 0 };
  const sentences = text.split(/(?<=[.!?])\s+|\n+/u).filter((one) => one.trim() !== "");
  const kept: string[] = [];
  for (const sentence of sentences.slice(0, MOST_SENTENCES)) {
    await nextTurn();
    if (numbersStand(sentence, known)) kept.push(sentence.trim());
  }
  return { text: kept.join(" "), leftOut: sentences.length - kept.length };
}
