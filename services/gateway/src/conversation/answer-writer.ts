import { GatewayError } from "../errors.ts";
import { numbersStand } from "../language/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompts } from "../models/index.ts";
import type { WordAnswer, Worded } from "../runs/index.ts";
import { buildMessages } from "./memory/build-messages.ts";
import { LANGUAGES, languageOf } from "./wording.ts";

export type AnswerWriterDeps = {
  mesh: Pick<Mesh, "models">;
  models: Pick<ModelGateway, "asks" | "generate">;
  prompts: Prompts;
};

const TASK = "wording";

/** Characters of a report: what is longer is a table, which is better read as it is. */
const LONGEST_REPORT = 8_000;

/** For all attempts together: the answer is there already. */
const LONGEST_MS = 30_000;

/** An address that the report does not have: a model that was talked into it could lead the reader away, or tell others what it read. */
const ADDRESS = /\b(?:https?:|www\.)[^\s)>\]]*|\]\([^)]*\)/giu;

/**
 * Has a model word answers that templates made of results. What it writes is used only where it says no number that is not in the template's
 * text; nobody sees any of it before.
 */
export function answerWriter({ mesh, models, prompts }: AnswerWriterDeps): WordAnswer | undefined {
  if (mesh.models.tasks[TASK] === undefined) return undefined;
  return async ({ report, run, order }) => {
    const sessionId = run.sessionId;
    const hint = order.model.hint ?? undefined;
    if (report.length > LONGEST_REPORT || !models.asks({ task: TASK, hint, sessionId })) return undefined;
    const prompt = prompts.get(TASK);
    const { message } = order;
    const messages = buildMessages({
      system: prompt.fill({ language: LANGUAGES[languageOf(message)] }),
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
        prompt,
        disableFallbacks: order.disableFallbacks,
        signal: AbortSignal.any([run.signal, AbortSignal.timeout(LONGEST_MS)]),
      });
      return judged(text.trim(), { finish, model, report });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return unused(`the model did not answer (${error.code})`);
    }
  };
}

function judged(
  text: string,
  { finish, model, report }: { finish: string; model: string; report: string },
): Worded {
  if (finish !== "stop") return unused("the model's answer is not complete");
  // Checking it takes the event loop time in proportion.
  if (text.length > LONGEST_REPORT) return unused("the model's answer is too long");
  if (!numbersStand(text, report))
    return unused("the model's answer has a number that is not in the results");
  if (Array.from(text.matchAll(ADDRESS)).some(([address]) => !report.includes(address)))
    return unused("the model's answer has an address that is not in the results");
  return { text, model };
}

function unused(why: string): Worded {
  return { warning: `This answer is worded by its template: ${why}.` };
}
