import type { DialogueAnswer, DialogueTurn } from "@interlock/contracts";
import { expect } from "@jest/globals";
import { ANN, eventsOf, get, type LogEvent, type Where } from "./people.ts";
import { EventReader } from "./sse.ts";
import { begin, type Call, event, finish } from "./stand-in.ts";

/** A mesh whose services `order` and `survey` hold dialogues with one agent. */
export function dialogueMesh(
  url: string,
  { dialogue = {}, agent = {} }: { dialogue?: object; agent?: object } = {},
) {
  const limits = { timeout_ms: 20_000, retries: 0, backoff_ms: 1 };
  return {
    egress: { allow: ["127.0.0.0/8"] },
    agents: {
      waiter: {
        url,
        tasks: { ORDER_TURN: "Takes an order.", SURVEY_TURN: "Asks questions." },
        limits,
        ...agent,
      },
    },
    services: {
      order: { agent: "waiter", task_type: "ORDER_TURN", dialogue, keywords: ["order", "주문"] },
      survey: { agent: "waiter", task_type: "SURVEY_TURN", dialogue: {}, keywords: ["survey"] },
    },
  };
}

/** The mesh with the services of {@link dialogueMesh} besides its own. */
export function withDialogues<T extends { agents: object; services: object }>(mesh: T, url: string) {
  const { agents, services } = dialogueMesh(url);
  return { ...mesh, agents: { ...mesh.agents, ...agents }, services: { ...mesh.services, ...services } };
}

/** The turn that a call asks for. */
export function turnOf(call: Call): DialogueTurn {
  return call.body.inputs as DialogueTurn;
}

/** What the agent of an order keeps. */
export type OrderState = { stage: string; items: string[] };

/** Takes "order tea, cake": adds to the order, and asks for more until it is told "order done". */
export function orderAnswer(call: Call): DialogueAnswer {
  const { state, message } = turnOf(call);
  const { items } = (state ?? { items: [] }) as OrderState;
  const said = message.replace(/^(order|주문)\s*/, "");
  if (said !== "done") {
    const more = { stage: "FILLING", items: [...items, said] } satisfies OrderState;
    const buttons = ["order done", "order cake"];
    return {
      state: more,
      message: `${more.items.join(", ")}. What else?`,
      next_action: "ASK",
      ui_hint: { buttons },
    };
  }
  const effects = items.map((item, n) => ({ id: `item-${n}`, kind: "order", item }));
  return { state: { stage: "EXECUTED", items }, message: "It comes.", next_action: "DONE", effects };
}

/** The event with which an agent tells of a state in the middle of a turn. */
export function checkpoint(state: object, effects?: readonly object[]): string {
  return event("progress", { type: "progress", checkpoint: { state, ...(effects ? { effects } : {}) } });
}

/** An agent that tells of its state before it answers. */
export function tellingOrder(call: Call): void {
  const answer = orderAnswer(call);
  begin(call, checkpoint(answer.state, answer.effects));
  finish(call, answer);
}

/** Says something to a session. @returns the stream of what answers it, in the run dialect */
export async function chat(
  where: Where,
  session_id: string,
  message: string,
  headers: Record<string, string> = ANN,
): Promise<EventReader> {
  const body = { message, session_id };
  return await EventReader.open(`${where.url}/api/v1/chat?dialect=run`, { headers, body });
}

/** Says something to a session, and follows the run to its end. */
export async function say(
  ...[where, session, message, headers]: Parameters<typeof chat>
): Promise<LogEvent[]> {
  const stream = await chat(where, session, message, headers);
  expect(stream.status).toBe(200);
  await stream.toEnd();
  return eventsOf(stream);
}

/** The data of the event that ended a run. */
export function endOf(events: readonly LogEvent[]): Record<string, unknown> {
  const end = events.at(-1);
  expect(end?.type).toMatch(/^run_(finished|failed|cancelled)$/);
  return end?.data ?? {};
}

/** Where the dialogues of a session stand. */
export async function dialoguesOf(where: Where, session: string): Promise<unknown> {
  return (await get(where, `/api/v1/sessions/${session}`, ANN)).json().dialogues;
}
