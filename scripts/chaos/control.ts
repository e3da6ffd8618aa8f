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
/** A lease lasts 10 s. The holder is frozen for longer, and others have begun to carry its runs on when it wakes. */
const FROZEN_MS = 12_500;

/**
 * The negative control. A holder is frozen past its lease, others take its runs over, and it wakes and writes on. With fencing that must
 * change nothing; without it the checks have to notice, or they would notice nothing else either.
 * @returns what was found wrong
 */
export async function frozenHolder(seed: number, options: WorldOptions): Promise<Ledger> {
  const ledger = new Ledger();
  const random = new Random(seed);
  const world = await startWorld(options);
  try {
    const [holder] = world.gateways;
    if (!holder) throw new Error("a mesh without gateways");
    const api = new Api(
      world.gateways.map(({ url }) => url),
      ledger,
      random.fork(),
    );
    // A run that its acceptor executes is that one's: these are all the frozen holder's. Nobody reads on: their readers have left.
    await inParallel(Array.from({ length: RUNS }), RUNS, async (_, at) => {
      const caller = { user: `frozen-${at}`, tenant: "north", roles: [] };
      const client = new Api([holder.url], ledger, random.fork()).client(caller, "frozen holder");
      // Steps of all lengths: some are answered while their holder sleeps, some after its runs went on elsewhere.
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
