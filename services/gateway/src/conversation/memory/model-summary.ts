import type { ActingCaller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { numbersStand, type Summary } from "../../language/index.ts";
import type { Mesh } from "../../mesh/index.ts";
import type { ModelGateway, Prompts } from "../../models/index.ts";
import type { Keys } from "../../store/index.ts";
import { LANGUAGES, languageOf } from "../wording.ts";
import { asData } from "./build-messages.ts";
import type { WholeTurn } from "./turns.ts";

/** A turn that has ended, and whose it was. */
export type EndedTurn = {
  keys: Keys;
  sessionId: string;
  runId: string;
  caller: Pick<ActingCaller, "tenant" | "issuer" | "subject">;
  /** How many entries of the session are not summarised, 0 where that is not known. */
  rawTurns: number;
};

/** @returns undefined where the quotations stay: no model is asked, or what it says cannot be used */
export type Summarise = (
  said: { before: Summary | undefined; turns: readonly WholeTurn[]; extract: string },
  turn: EndedTurn,
) => Promise<string | undefined>;

const TASK = "summary";

/** Nobody waits for a summary, except a gateway that stops. */
const LONGEST_MS = 10_000;

const MOST_WORDS = 200;
/** Characters of a summary, and of what it is made of: longer texts stay quoted. */
const LONGEST_SUMMARY = 2_400;
const LONGEST_SAID = 12_000;

/** Has a model summarise the older turns of a conversation. Every number of it has to stand in them. */
export function modelSummaries({
  mesh,
  models,
  prompts,
}: {
  mesh: Pick<Mesh, "models">;
  models: Pick<ModelGateway, "asks" | "generate">;
  prompts: Prompts;
}): Summarise | undefined {
  if (mesh.models.tasks[TASK] === undefined) return undefined;
  return async ({ before, turns, extract }, { caller, sessionId, runId }) => {
    if (!models.asks({ task: TASK, sessionId })) return undefined;
    const earlier = before ? [`Earlier: ${before.text}`] : [];
    const said = turns.flatMap(({ user, answers }) => [
      ...(user === undefined ? [] : [`User: ${user}`]),
      ...answers.map((answer) => `Answer: ${answer}`),
    ]);
    const whole = [...earlier, ...said].join("\n\n");
    if (whole.length > LONGEST_SAID) return undefined;
    const prompt = prompts.get(TASK);
    const language = LANGUAGES[languageOf(turns.findLast(({ user }) => user !== undefined)?.user ?? "")];
    try {
      const { text, finish } = await models.generate({
        task: TASK,
        messages: [
          { role: "system", content: prompt.fill({ language, words: String(MOST_WORDS) }) },
          { role: "user", content: asData({ from: "turns", text: whole }) },
        ],
        caller,
        sessionId,
        runId,
        prompt,
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      const summary = text.trim();
      const isUsable = finish === "stop" && summary.length <= LONGEST_SUMMARY;
      return isUsable && numbersStand(summary, `${whole}\n${extract}`) ? summary : undefined;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return undefined;
    }
  };
}
