import { keysOf } from "../store/index.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/** Turns of the conversation that later steps may look at. */
const TURNS = 20;

/** Makes the session available to later steps. It is read once, by the first step that asks for it. */
export async function loadSession(turn: Turn, { sessions }: TurnDeps): Promise<"next"> {
  const { caller, sessionId } = turn.request;
  let session: ReturnType<Turn["session"]> | undefined;
  turn.session = () => {
    session ??= sessions.find(keysOf(caller.tenant), sessionId, TURNS);
    return session;
  };
  return "next";
}
