import type { JsonSchema } from "@interlock/contracts";
import { numbersStand, type Slots } from "../language/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompts } from "../models/index.ts";
import type { UsageAmounts } from "../store/index.ts";
import type { Hearing } from "./hearing.ts";
import { type AskedIn, objectSchema, quickAnswers } from "./quick-answer.ts";
import { COMPOSITE, type Talk } from "./talk.ts";

export type Opinion = {
  intent: { category: string; goals: readonly string[] };
  /** Of slots that the flow declares, as its own reader reads them. */
  slots: Slots;
  used: UsageAmounts;
};

export type Asked = AskedIn & { message: string; hearing: Hearing };

/** A model's opinion on what a message asks for; undefined where it has none in time. Never rejects for what a model does. */
export type SecondOpinion = (asked: Asked) => Promise<Opinion | undefined>;

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
  const answers = quickAnswers({ mesh, models });
  if (!answers) return undefined;
  return async (asked) => {
    const { message, hearing, ...askedIn } = asked;
    const { talk, offers } = hearing;
    const goals = [...talk.flow.goals.keys()].filter((goal) => offers(goal));
    if (goals.length === 0 || !answers.asks(askedIn)) return undefined;
    const names = slotNamesOf(talk);
    const prompt = prompts.get("intent");
    const system = prompt.fill({
      goals: goals.map((goal) => `- ${goal}: ${mesh.services.get(goal)?.label?.en ?? goal}`).join("\n"),
      constraints: names.join(", ") || "none",
    });
    const schema = schemaOf(goals, names);
    const answer = await answers.ask({ message, system, prompt, schema }, askedIn);
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

function schemaOf(goals: readonly string[], names: readonly string[]): JsonSchema {
  const constraint = objectSchema({
    name: names.length > 0 ? { type: "string", enum: [...names] } : { type: "string" },
    says: { type: "string" },
  });
  return objectSchema({
    goals: { type: "array", items: { type: "string", enum: [...goals] } },
    constraints: { type: "array", items: constraint },
  });
}

type Said = { goals: string[]; constraints: { name: string; says: string }[] };

/** The schema has been checked. */
function saidIn(object: unknown): Said {
  return object as Said;
}
