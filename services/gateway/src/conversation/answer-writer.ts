import { GatewayError } from "../errors.ts";
import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompts } from "../models/index.ts";
import type { WordAnswer, Worded } from "../runs/index.ts";
import { factsOf, leadOf, otherNamesOf } from "./lead/index.ts";
import { buildMessages } from "./memory/build-messages.ts";
import { LANGUAGES, languageOf } from "./wording.ts";

export type AnswerWriterDeps = {
  mesh: Pick<Mesh, "models" | "flows">;
  models: Pick<ModelGateway, "asks" | "generate">;
  prompts: Prompts;
};

const TASK = "wording";

/** Longest report that a model is asked about, in characters. Checking an answer takes time in proportion, too. */
const LONGEST_REPORT = 8_000;
const LONGEST_ANSWER = 8_000;

/** Default number of sentences ahead of a report. */
const MOST_SENTENCES = 5;

/** Timeout of all attempts together, since the answer itself is ready. */
const LONGEST_MS = 30_000;

/**
 * Has a model write a lead for answers that templates made of results. The template's text is shown below it in any case, and of the lead
 * only the sentences that the results bear out; nobody sees any of it before.
 */
export function answerWriter({ mesh, models, prompts }: AnswerWriterDeps): WordAnswer | undefined {
  if (mesh.models.tasks[TASK] === undefined) return undefined;
  const otherNames = otherNamesOf(Array.from(mesh.flows.values(), ({ slots }) => slots));
  const most = mesh.models.settings.get(TASK)?.maxSentences ?? MOST_SENTENCES;
  return async ({ report, results, run, order }) => {
    const sessionId = run.sessionId;
    const hint = order.model.hint ?? undefined;
    if (report.length > LONGEST_REPORT || !models.asks({ task: TASK, hint, sessionId })) return undefined;
    const facts = await factsOf(report, results);
    // No row of the report is in the results, so no sentence of a model could be checked.
    if (facts.length === 0) return undefined;
    const prompt = prompts.get(TASK);
    const { message } = order;
    const messages = buildMessages({
      system: prompt.fill({ language: LANGUAGES[languageOf(message)], most: String(most) }),
      context: [{ from: "report", text: report }],
      session: { turns: [] },
      message: { runId: run.id, text: message },
    });
    try {
      const { text, finish, model } = await models.generate({
        task: TASK,
        messages,
        hint,
        caller: { tenant: run.keys.tenant, issuer: order.issuer, subject: order.subject },
        sessionId,
        runId: run.id,
        trace: run.trace,
        prompt,
        disableFallbacks: order.disableFallbacks,
        signal: AbortSignal.any([run.signal, AbortSignal.timeout(LONGEST_MS)]),
      });
      if (finish !== "stop") return unused("the model's answer is not complete");
      if (text.length > LONGEST_ANSWER) return unused("the model's answer is too long");
      return worded(model, await leadOf(text, { facts, otherNames, most }));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return unused(`the model did not answer (${error.code})`);
    }
  };
}

function worded(model: string, { lead, leftOut }: Awaited<ReturnType<typeof leadOf>>): Worded {
  if (lead === "") return unused("the results bear out no sentence of the model");
  if (leftOut === 0) return { lead, model };
  return {
    lead,
    model,
    warning: `Sentences of the model that the results do not bear out: ${leftOut}, left out.`,
  };
}

function unused(why: string): Worded {
  return { warning: `This answer is worded by its template: ${why}.` };
}
