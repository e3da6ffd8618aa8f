import type { JsonSchema } from "@interlock/contracts";
import type { SlotDeclaration } from "../language/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompts } from "../models/index.ts";
import type { UsageAmounts } from "../store/index.ts";
import { asData } from "./memory/build-messages.ts";
import { type AskedIn, objectSchema, quickAnswers } from "./quick-answer.ts";
import type { PlainInputs } from "./session-inputs.ts";
import type { Talk } from "./talk.ts";
import type { Told } from "./told.ts";
import { languageOf } from "./wording.ts";
import type { WorkingSet } from "./working-set.ts";

export type Asked = AskedIn & {
  message: string;
  working: WorkingSet;
  /** Those of the session's flow. */
  inputs: PlainInputs | undefined;
  /** Each with the goals that the caller may have; the session's first. */
  flows: readonly { talk: Talk; goals: readonly string[] }[];
  /** Services that no flow answers for, and that the caller may use. */
  services: readonly string[];
};

/** What a model says that a message says; undefined where it says nothing in time. Never rejects for what a model does. */
export type AskModel = (asked: Asked) => Promise<{ told: Told; used: UsageAmounts } | undefined>;

/** Besides goals and services: talk, and what nobody here can do. */
const TALK = "talk";
const NONE = "none";

/** Values of one slot, and nouns, that a model is told without their being mentioned. */
const MOST_VALUES = 20;
const MOST_NOUNS = 6;

/**
 * Has a model read each message first. It gets the message, what is in force, the question that is open, what was done last, and of the
 * catalogue what the message may name; never inputs. @returns undefined where the manifest has no model for it
 */
export function askModel({
  mesh,
  models,
  prompts,
}: {
  mesh: Pick<Mesh, "models" | "services">;
  models: Pick<ModelGateway, "asks" | "generate">;
  prompts: Prompts;
}): AskModel | undefined {
  const answers = quickAnswers({ mesh, models });
  if (!answers) return undefined;
  return async ({ message, working, inputs, flows, services, ...askedIn }) => {
    const goals = flows.flatMap((flow) => flow.goals);
    if (goals.length + services.length === 0 || !answers.asks(askedIn)) return undefined;
    const slots = flows.flatMap(({ talk }) => talk.flow.slots?.slots ?? []);
    const prompt = prompts.get("understanding");
    const describe = (name: string): string => {
      const { label, description } = mesh.services.get(name) ?? {};
      return `- ${name}: ${[label?.en ?? name, description].filter((text) => text).join(". ")}`;
    };
    const system = prompt.fill({
      routes: [...goals, ...services].map(describe).join("\n"),
      slots: flows.flatMap(({ talk }, at) => slotsOf(talk, at === 0 ? inputs : undefined)).join("\n"),
    });
    const names = [...new Set(slots.map(({ name }) => name))];
    const answer = await answers.ask(
      {
        system,
        prompt,
        schema: schemaOf([...goals, ...services, TALK, NONE], names),
        content: [
          asData({ from: "message", text: message }),
          asData({ from: "context", text: JSON.stringify(contextOf(message, working, inputs, flows)) }),
        ].join("\n"),
      },
      askedIn,
    );
    return answer && { told: toldBy(answer.object, answer.model, new Set(goals)), used: answer.used };
  };
}

function contextOf(
  message: string,
  { slots, done, question }: WorkingSet,
  inputs: PlainInputs | undefined,
  flows: Asked["flows"],
): object {
  const language = languageOf(message);
  const [current] = flows;
  const last = done.at(-1);
  return {
    language,
    in_force: Object.entries(last?.slots ?? slots).map(([slot, value]) => ({
      slot,
      value,
      says: current?.talk.echo({ [slot]: value }, language) ?? "",
    })),
    done_last: last?.goals ?? [],
    question: question ? { text: question.text, answers: question.options.map(({ label }) => label) } : null,
    mentions: flows.flatMap(({ talk }, at) => talk.offered(message, at === 0 ? inputs : undefined)),
  };
}

function slotsOf(talk: Talk, inputs: PlainInputs | undefined): string[] {
  return (talk.flow.slots?.slots ?? []).map((slot) => {
    const values = valuesOf(slot, talk, inputs);
    const parts = [
      slot.kind + (slot.reads ? `, ${slot.reads}` : ""),
      slot.label.en,
      ...(slot.nouns.length > 0 ? [`called ${slot.nouns.slice(0, MOST_NOUNS).join(", ")}`] : []),
      ...(values.length > 0 && values.length <= MOST_VALUES ? [`one of ${values.join(", ")}`] : []),
    ];
    return `- ${slot.name}: ${parts.join("; ")}`;
  });
}

function valuesOf(slot: SlotDeclaration, talk: Talk, inputs: PlainInputs | undefined): readonly string[] {
  if (slot.kind === "choice") return Object.keys(slot.values);
  return slot.kind === "enum" ? talk.allOf(slot.name, inputs) : [];
}

const TEXT: JsonSchema = { type: "string" };
const TEXTS: JsonSchema = { type: "array", items: TEXT };
const oneOf = (names: readonly string[]): JsonSchema => ({ type: "string", enum: [...names] });
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

function schemaOf(routes: readonly string[], names: readonly string[]): JsonSchema {
  const slot = names.length > 0 ? oneOf(names) : TEXT;
  const claim = objectSchema({
    quote: TEXT,
    slot,
    op: oneOf(["set", "only", "add", "except", "freeze", "clear"]),
    names: TEXTS,
    number: { type: ["number", "null"] },
    direction: oneOf(["most", "least", "up", "down", "none"]),
    scope: listOf(objectSchema({ quote: TEXT, slot, names: TEXTS })),
    status: oneOf(["applies", "told"]),
  });
  return objectSchema({
    route: listOf(oneOf(routes)),
    goes_on: { type: "boolean" },
    command: oneOf(["none", "undo", "start_over"]),
    claims: listOf(claim),
    named: TEXTS,
  });
}

/** The schema has been checked. */
function toldBy(object: unknown, model: string, goals: ReadonlySet<string>): Told {
  const said = object as { route: string[]; goes_on: boolean } & Pick<Told, "command" | "claims" | "named">;
  const wanted = [...new Set(said.route)].filter((name) => goals.has(name));
  const service = said.route.find((name) => !goals.has(name) && name !== TALK && name !== NONE);
  const isNone = said.route.includes(NONE);
  const route: Told["route"] =
    wanted.length > 0
      ? { kind: "goals", goals: wanted }
      : service !== undefined
        ? { kind: "service", service }
        : { kind: isNone ? NONE : TALK };
  const { command, claims, named } = said;
  return { route, goesOn: said.goes_on, command, claims, named, model };
}
