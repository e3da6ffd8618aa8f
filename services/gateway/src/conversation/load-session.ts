import type { SessionView } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/** Turns of the conversation that later steps may look at. */
const TURNS = 20;

/** Makes the session available to later steps. The first step that asks for it reads it. */
export function loadSession(turn: Turn, { sessions }: TurnDeps): "next" {
  const { caller, sessionId } = turn.request;
  let session: Promise<SessionView | undefined> | undefined;
  turn.session = () => {
    session ??= sessions.find(caller, sessionId, TURNS).catch(undefinedIfNew);
    return session;
  };
  return "next";
}

/** A session begins with its first turn. */
function undefinedIfNew(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === "not_found") return undefined;
  throw error;
}
