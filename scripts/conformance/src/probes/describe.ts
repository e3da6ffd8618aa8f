import { type AgentCard, agentContract, explain, schemas } from "@interlock/contracts";
import type { CardSeen, Inputs } from "../evidence.ts";
import type { AgentUnderCheck } from "./agent-under-check.ts";

const MIB = 1024 * 1024;
/** Upper bound for what a card may declare, because an event is held in memory. */
const LARGEST_EVENT_BYTES = 64 * MIB;

const LONGEST_PROBLEM = 200;

/** Asks for health, readiness and card. This is the first contact with the agent. */
export async function askForDescription(agent: AgentUnderCheck): Promise<CardSeen | undefined> {
  let card: CardSeen | undefined;
  const get = { limitMs: agent.bounds.quickMs, small: true };
  await Promise.all([
    agent.ask("health", { ...get, endpoint: "health", what: "nothing" }),
    agent.ask("ready", { ...get, endpoint: "ready", what: "nothing" }),
    agent.ask("card", {
      ...get,
      endpoint: "card",
      what: "nothing",
      look: (body) => {
        card = readCard(body, agent.taskType);
      },
    }),
  ]);
  if (card?.maxEventBytes !== undefined) agent.eventBytes = Math.min(card.maxEventBytes, LARGEST_EVENT_BYTES);
  return card;
}

function readCard(body: Buffer, taskType: string): CardSeen {
  const checked = agentContract.card(parsed(body));
  if (!checked.ok) return { ...NO_CARD, problem: problemsOf(body) };
  const { task_types, limits }: AgentCard = checked.value;
  const task = task_types.find((listed) => listed.task_type === taskType);
  return {
    problem: undefined,
    listsTask: task !== undefined,
    taskTypes: task_types.map((listed) => listed.task_type),
    example: task?.examples?.[0],
    inputNames: namesIn(task?.inputs),
    maxEventBytes: limits?.max_event_bytes,
  };
}

const NO_CARD = {
  listsTask: false,
  taskTypes: [],
  example: undefined,
  inputNames: [],
  maxEventBytes: undefined,
};

/** All that is wrong with a card, a problem to a place. A terminal takes some characters of names as commands. */
function problemsOf(body: Buffer): string {
  const card = parsed(body);
  if (card === undefined) return "it is not JSON";
  const schema = schemas.agent?.card;
  if (schema === undefined) throw new Error("the contract has no schema of cards");
  return explain(schema, card)
    .map((problem) => problem.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, LONGEST_PROBLEM))
    .join("; ");
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function namesIn(schema: Inputs | undefined): readonly string[] {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
