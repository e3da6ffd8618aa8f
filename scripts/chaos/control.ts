import { setTimeout as sleep } from "node:timers/promises";
import { Api } from "./api.ts";
import { checkInvariants, checkSeals } from "./checks/invariants.ts";
import { settle } from "./checks/settle.ts";
import { Ledger } from "./ledger.ts";
import { fresh } from "./load/load.ts";
import { inParallel } from "./pace.ts";
import { Random } from "./random.ts";
import { startWorld, type WorldOptions } from "./world.ts";

const RUNS = 16;
/** Longer than a lease (10 s), so that the other gateway has taken the runs over when the holder wakes. */
const FROZEN_MS = 12_500;

/**
 * The negative control: freezes a gateway past its lease, so that another one takes its runs over, then lets it go on writing. With
 * fencing this must have no effect. Without fencing the checks must find violations, or they prove nothing.
 */
export async function frozenHolder(seed: number, options: WorldOptions): Promise<Ledger> {
  const ledger = new Ledger();
  const random = new Random(seed);
  const world = await startWorld(options);
  try {
    const [holder] = world.gateways;
    if (!holder) throw new Error("a mesh without gateways");
    const api = new Api(world.gateways, ledger, random.fork());
    // A gateway executes the runs that it accepts, so that the frozen one holds all of these. Their readers leave after the first event.
    await inParallel(Array.from({ length: RUNS }), RUNS, async (_, at) => {
      const caller = { user: `frozen-${at}`, tenant: "north", roles: [] };
      const client = new Api([holder], ledger, random.fork()).client(caller, "frozen holder");
      // Steps of different lengths: some end while the holder is frozen, some after its runs have been taken over.
      const inputs = { ms: 400 + 300 * at, beats: 3, gate: false };
      for await (const _event of client.chat("change", { sessionId: fresh("s"), inputs })) break;
    });
    holder.process.kill("SIGSTOP");
    await sleep(FROZEN_MS);
    holder.process.kill("SIGCONT");
    ledger.count("gateway frozen past its lease");
    await settle(world, api, ledger);
    const scope = { world, ledger, random, storeOnly: options.unsafeNoFencing ?? false };
    await checkInvariants(scope);
    await sleep(1_000);
    await checkSeals(scope);
  } finally {
    await world.stop();
  }
  return ledger;
}
