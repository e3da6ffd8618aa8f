/**
 * Kills a gateway, the transfer agent or Redis while users confirm transfers, again and again: every transfer that its user confirmed is in
 * the ledger once, and each user is told so in the end. `--times N` sets the number of kills.
 */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Redis } from "ioredis";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { type Mesh, startMesh } from "../lib/mesh.ts";
import { conclude, runChecks } from "../lib/run-checks.ts";
import { servicesFor } from "../lib/services.ts";

/** Users who confirm while one process is killed. */
const AT_ONCE = 5;
const VICTIMS = ["gateway", "transfer", "redis"];
/** A kill comes this many milliseconds after the confirmations at most: before, while and after they take effect. */
const LATEST_MS = 40;
/** Until a user has heard what became of a transfer. */
const PATIENCE_MS = 60_000;
const LEDGER = "interlock:agent:{transfer}:entries";

type Done = { next_action?: string; message?: string; state_snapshot?: { stage?: string } };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { times: { type: "string", default: "30" } } });
  const times = Number(values.times);
  const signal = stopSignal();
  const mesh = await startMesh({
    // What is killed, and what it needs: the processes of other domains would only take the cores from it.
    services: servicesFor(new Set(["transfer"])),
    env: { MESH_ONLY: "transfer" },
    serviceEnv: { gateway: { LEASE_MS: "1000" } },
    signal,
  });
  const users = new Users(mesh);
  try {
    const kill = async (): Promise<string> => {
      for (let round = 0; round < times && !signal.aborted; round++)
        await strike(mesh, users, VICTIMS[round % VICTIMS.length] ?? "");
      return `${times} kills, ${users.count} transfers, ${users.again} of them confirmed more than once`;
    };
    const count = await runChecks(
      [
        ["every user hears that the transfer was made", kill],
        ["each transfer is in the ledger once, and nothing else is", () => inLedgerOnce(mesh, users.count)],
      ],
      signal,
    );
    if (count.failed > 0)
      for (const process of mesh.processes) say(`\n${process.name}:\n${process.logTail(20)}`);
    conclude(count);
  } finally {
    await mesh.stop();
  }
}

async function strike(mesh: Mesh, users: Users, victim: string): Promise<void> {
  const waiting = await Promise.all(Array.from({ length: AT_ONCE }, () => users.askOne()));
  const confirmed = waiting.map((user) => user.confirm());
  await delay(randomInt(LATEST_MS));
  const process = mesh.find(victim);
  process.kill("SIGKILL");
  await process.exited();
  process.start();
  await process.ready();
  await Promise.all(confirmed);
}

/** Users of the transfer service. Each transfers another amount, so that the ledger tells them apart. */
class Users {
  readonly #mesh: Mesh;
  count = 0;
  again = 0;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
  }

  /** A user who was asked to confirm a transfer. */
  async askOne(): Promise<{ confirm(): Promise<void> }> {
    this.count += 1;
    const amount = 1000 + this.count;
    const session = `transfer-${amount}`;
    const shown = await this.#until(async () => {
      const { next_action } = await this.#say(session, `send ${amount} won to Minsu`);
      return next_action === "CONFIRM";
    });
    if (!shown) throw new Error("a transfer was not shown to be confirmed");
    return { confirm: () => this.#confirm(session) };
  }

  /** Says yes until the transfer is listed, as a person would whose connection breaks. */
  async #confirm(session: string): Promise<void> {
    let said = 0;
    const heard = await this.#until(async () => {
      if (await this.#isListed(session)) return true;
      said += 1;
      const { state_snapshot } = await this.#say(session, "yes");
      return state_snapshot?.stage === "EXECUTED";
    });
    if (!heard) throw new Error(`a user never heard what became of the transfer ${session}`);
    if (!(await this.#until(() => this.#isListed(session))))
      throw new Error(`the transfer ${session} is not listed as completed`);
    if (said > 1) this.again += 1;
  }

  async #say(session: string, message: string): Promise<Done> {
    const response = await fetch(`${this.#mesh.url}/v1/agent/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ session_id: session, message }),
    });
    return (await response.json()) as Done;
  }

  async #isListed(session: string): Promise<boolean> {
    const response = await fetch(`${this.#mesh.url}/v1/agent/completed?session_id=${session}`);
    if (!response.ok) return false;
    const { completed = [] } = (await response.json()) as { completed?: readonly unknown[] };
    if (completed.length > 1) throw new Error(`the transfer ${session} is listed twice`);
    return completed.length === 1;
  }

  /** Tries until it succeeds; a process that is down makes it fail meanwhile. @returns whether it did */
  async #until(attempt: () => Promise<boolean>): Promise<boolean> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      if (await attempt().catch(isFetchFailure)) return true;
      await delay(50);
    }
    return false;
  }
}

function isFetchFailure(error: unknown): false {
  if (error instanceof TypeError || error instanceof SyntaxError) return false;
  throw error;
}

async function inLedgerOnce(mesh: Mesh, count: number): Promise<string> {
  const redis = new Redis(mesh.redisUrl);
  const entries = Object.values(await redis.hgetall(LEDGER)).map(
    (text) => JSON.parse(text) as { status: string; transfer: { amount_minor: string } },
  );
  redis.disconnect();
  const executed = entries.filter(({ status }) => status === "executed");
  const amounts = new Set(executed.map(({ transfer }) => transfer.amount_minor));
  if (executed.length !== count || amounts.size !== count)
    throw new Error(`${executed.length} entries of ${amounts.size} amounts for ${count} transfers`);
  return `${executed.length} entries`;
}

await main().catch(fail);
