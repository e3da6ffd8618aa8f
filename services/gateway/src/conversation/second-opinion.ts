import { setTimeout as sleep } from "node:timers/promises";
import type { JsonSchema } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { numbersStand, type Slots } from "../language/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompts } from "../models/index.ts";
import type { UsageAmounts } from "../store/index.ts";
import type { Hearing } from "./interpret.ts";
import { asData } from "./memory/build-messages.ts";
import { COMPOSITE, type Talk } from "./talk.ts";

export type Opinion = {
  intent: { category: string; goals: readonly string[] };
  /** Of slots that the flow declares, as its own reader reads them. */
  slots: Slots;
  used: UsageAmounts;
};

export type Asked = {
  message: string;
  hearing: Hearing;
  caller: Caller;
  sessionId: string;
  runId: string;
  hint?: string | undefined;
};

/** A model's opinion on what a message asks for; undefined where it has none in time. Never rejects for what a model does. */
export type SecondOpinion = (asked: Asked) => Promise<Opinion | undefined>;

const TASK = "intent";

/** Nobody waits for an opinion any longer, unless the manifest says so. */
const LONGEST_MS = 200;

/** Asks a model where nothing here is sure. It can want no goal that the caller may not have, and set no slot that the flow does not declare. */
export function secondOpinion({
  mesh,
  models,
  prompts,
}: {
  mesh: Pick<Mesh, "models" | "services">;
  models: Pick<ModelGateway, "asks" | "generate">;
  prompts: Prompts;
}): SecondOpinion | undefined {
  if (mesh.models.tasks[TASK] === undefined) return undefined;
  const longestMs = mesh.models.settings.get(TASK)?.timeoutMs ?? LONGEST_MS;
  return async (asked) => {
    const { message, hearing, caller, sessionId, runId, hint } = asked;
    const { talk, offers } = hearing;
    const goals = [...talk.flow.goals.keys()].filter((goal) => offers(goal));
    if (goals.length === 0 || !models.asks({ task: TASK, hint, sessionId })) return undefined;
    const names = slotNamesOf(talk);
    const prompt = prompts.get(TASK);
    const system = prompt.fill({
      goals: goals.map((goal) => `- ${goal}: ${mesh.services.get(goal)?.label?.en ?? goal}`).join("\n"),
      constraints: names.join(", ") || "none",
    });
    const over = new AbortController();
    const call = models.generate({
      task: TASK,
      schema: schemaOf(goals, names),
      messages: [
        { role: "system", content: system },
        { role: "user", content: asData({ from: "message", text: message }) },
      ],
      hint,
      caller,
      sessionId,
      runId,
      prompt,
      signal: over.signal,
    });
    const given = call.then(
      ({ object, used }) => ({ object, used }),
      (error: unknown) => {
        if (!(error instanceof GatewayError)) throw error;
        return undefined;
      },
    );
    // What a call that is given up has used is still counted, which takes its time.
    const late = sleep(longestMs, undefined, { signal: over.signal }).catch(() => undefined);
    const answer = await Promise.race([given, late]);
    over.abort();
    return answer && opinionOf(answer, asked, new Set(goals));
  };
}

function opinionOf(
  { object, used }: { object: unknown; used: UsageAmounts },
  { message, hearing }: Asked,
  allowed: ReadonlySet<string>,
): Opinion | undefined {
  const { talk, offers } = hearing;
  const { goals, constraints } = saidIn(object);
  const wanted = [...new Set(goals)].filter((goal) => allowed.has(goal));
  const [only] = wanted;
  const category = wanted.length > 1 ? COMPOSITE : (only ?? talk.general);
  if (category === COMPOSITE && !offers(COMPOSITE)) return undefined;
  const slots: Record<string, Slots[string]> = {};
  for (const { name, says } of constraints) {
    // A number that the user did not say constrains nothing.
    if (!numbersStand(says, message)) continue;
    const value = hearing.readSlots(says, {}).slots[name];
    if (value !== undefined) slots[name] = value;
  }
  return { intent: { category, goals: wanted }, slots, used };
}

function slotNamesOf({ flow }: Talk): string[] {
  return flow.slots?.slots.map(({ name }) => name) ?? [];
}

/** All members are required, as some providers want it. */
function schemaOf(goals: readonly string[], names: readonly string[]): JsonSchema {
  const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const constraint = object({
    name: names.length > 0 ? { type: "string", enum: [...names] } : { type: "string" },
    says: { type: "string" },
  });
  return object({
    goals: { type: "array", items: { type: "string", enum: [...goals] } },
    constraints: { type: "array", items: constraint },
  });
}

type Said = { goals: string[]; constraints: { name: string; says: string }[] };

/** The schema has been checked. */
function saidIn(object: unknown): Said {
  return object as Said;
}
