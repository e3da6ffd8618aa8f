import { createHash } from "node:crypto";
import { type Caller, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { RunHandle } from "../runs/index.ts";
import { type GetTurns, keysOf } from "../store/index.ts";
import { takeTurn } from "./turn.ts";
import type { TurnDeps, TurnRequest } from "./turn-step.ts";

export type GetTurnDeps = TurnDeps & { getTurns: GetTurns };

/**
 * Takes a turn for a client that repeats its request when the connection breaks, without a word that it is a repetition: a browser's
 * EventSource that was cut off before it had anything. The same message again is the same turn, until its answer is known to have arrived.
 * @returns the run's handle; and whether an earlier request had begun it
 * @throws GatewayError as {@link takeTurn} does
 */
export async function takeTurnByGet(
  request: TurnRequest & { message: string },
  deps: GetTurnDeps,
): Promise<{ run: RunHandle; joined: boolean }> {
  const { caller, sessionId, message } = request;
  const keys = keysOf(caller.tenant);
  const digest = sha256(message);
  const latest = await deps.getTurns.latest(keys, sessionId);
  if (latest?.isPending && latest.digest === digest) {
    const pending = await find(caller, latest.run, deps);
    if (request.admitted) await request.admitted;
    if (pending) return { run: pending, joined: true };
  }
  // Of two requests that know of the same turn before them, the second one gets the run of the first.
  const known = `${principalOf(caller)}\0get\0${sessionId}\0${latest?.run ?? ""}\0${digest}`;
  const idempotency = { digest: sha256(known), bodyDigest: digest };
  const { run } = await takeTurn({ ...request, idempotency }, deps);
  // The run goes on without the record: a repetition that names the same previous turn still finds it.
  await deps.getTurns.begin(keys, sessionId, { run: run.id, digest }).catch(() => undefined);
  return { run, joined: run.replayed };
}

/**
 * Notes whether the answer of a turn has reached its client. That the store fails is no error here: at worst a repetition of the message
 * gets the same answer once more.
 */
export async function noteTold(
  caller: Caller,
  { sessionId, id }: RunHandle,
  told: boolean,
  { getTurns }: Pick<GetTurnDeps, "getTurns">,
): Promise<void> {
  await getTurns.tell(keysOf(caller.tenant), sessionId, id, told).catch(() => undefined);
}

/** @returns undefined where the run is not kept any more, or is somebody else's */
async function find(caller: Caller, runId: string, { runs }: GetTurnDeps): Promise<RunHandle | undefined> {
  try {
    return runs.open(caller, await runs.find(caller, runId));
  } catch (error) {
    if (error instanceof GatewayError && error.code === "not_found") return undefined;
    throw error;
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
