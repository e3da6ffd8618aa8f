import { setTimeout as sleep } from "node:timers/promises";
import { Api } from "./api.ts";
import { checkInvariants } from "./checks/invariants.ts";
import { settle } from "./checks/settle.ts";
import { injectHeavy, injectLight } from "./faults/inject.ts";
import type { Ledger } from "./ledger.ts";
import { Load } from "./load/load.ts";
import type { Random } from "./random.ts";
import { rollingRestart } from "./rolling.ts";
import type { World } from "./world.ts";

export type Scope = { world: World; ledger: Ledger; random: Random; signal: AbortSignal };

export type RoundOptions = {
  turn: number;
  /** How long light faults are injected (ms). */
  lightMs: number;
  heavy: boolean;
  rolling: boolean;
};

/** Enough load to have runs in every state, and little enough for a small machine. */
const USERS = 8;
const CALM_MS = 2_500;

export type RoundTimes = {
  /** How long faults were injected, and how long all runs took to end afterwards (ms). */
  stormMs: number;
  settleMs: number;
  calmMs: number;
};

/**
 * Plays one round: load with faults, until every acknowledged run has ended and the invariants hold; then load without faults, or with a
 * rolling restart.
 */
export async function playRound(scope: Scope, options: RoundOptions): Promise<RoundTimes> {
  const { world, ledger, random } = scope;
  const api = new Api(world.gateways, ledger, random.fork());
  const begun = Date.now();
  const stormy = new Load(api, ledger, random.fork(), USERS);
  await injectLight(scope, options.lightMs);
  if (options.heavy && !scope.signal.aborted) await injectHeavy(scope, options.turn);
  const injected = Date.now();
  await stormy.stop();
  await settle(world, api, ledger);
  const settled = Date.now();
  await checkInvariants(scope);

  const calm = new Load(api, ledger, random.fork(), USERS);
  if (options.rolling && !scope.signal.aborted) {
    const before = ledger.attempts.length;
    await rollingRestart({ world, api, ledger, random });
    await calm.stop();
    for (const { scenario, trouble } of ledger.attempts.slice(before)) {
      if (trouble !== undefined) ledger.violate("failed in a rolling restart", scenario, trouble);
    }
  } else {
    await sleep(CALM_MS);
    await calm.stop();
  }
  await settle(world, api, ledger);
  await checkInvariants(scope);
  return { stormMs: injected - begun, settleMs: settled - injected, calmMs: Date.now() - settled };
}
