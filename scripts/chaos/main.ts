/** `npm run chaos`: see the usage text in options.ts. */
import { readFileSync } from "node:fs";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { longestStall } from "../lib/loop-stalls.ts";
import { checkSeals } from "./checks/invariants.ts";
import { frozenHolder } from "./control.ts";
import { cutAgentStreams, cutGatewayStreams } from "./cuts.ts";
import { approvalDrill } from "./drill.ts";
import { Ledger } from "./ledger.ts";
import { checkMemory, type MemoryReport } from "./memory.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { ROOM } from "./pace.ts";
import { Random } from "./random.ts";
import { details, judgeSuccess, report } from "./report.ts";
import { playRound, type RoundTimes, type Scope } from "./round.ts";
import { playTrials, type TrialReport } from "./trials/index.ts";
import { startWorld } from "./world.ts";

/** Sizes of the short version, which runs on every change and takes about four minutes. */
const SHORT = { rounds: 2, lightMs: 7_000, cuts: 120, clients: 150, trials: 1 };
const LONG = { lightMs: 12_000, cuts: Number.POSITIVE_INFINITY, clients: 600, trials: 4 };
const ROLLING_EVERY = 3;
/** With everything on a few cores, the same work takes the thread more time. */
const LONGEST_STALL_UNDER_LOAD_MS = 250;

type Played = {
  rounds: number;
  longestSettleMs: number;
  trials: TrialReport;
  memory: MemoryReport[];
  longestStallMs: number;
};

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === "help") return say(USAGE);
  const begun = performance.now();
  const signal = stopSignal();
  const ledger = new Ledger();
  const common = { signal, say, logDir: options.logDir };
  const world = await startWorld(common);
  world.onDeath(({ process, message }) => ledger.violate("process died", process, message));
  let played: Played;
  try {
    played = await play({ world, ledger, random: new Random(options.seed), signal }, options);
  } catch (error) {
    // What was found counts, whatever keeps the rest from being looked for.
    for (const line of details(ledger.violations)) say(line);
    throw error;
  } finally {
    await world.stop();
  }
  signal.throwIfAborted();
  say("negative control: the same without fencing…");
  const control = await frozenHolder(options.seed, { ...common, unsafeNoFencing: true });
  judgeSuccess(ledger);
  const seconds = (performance.now() - begun) / 1000;
  say(`\n${report({ ledger, seed: options.seed, ...played, control, seconds })}`);
  const passed = ledger.violations.length === 0 && control.violations.length > 0;
  say(passed ? "1 passed, 0 failed" : "0 passed, 1 failed");
  if (!passed) process.exitCode = 1;
}

async function play(scope: Scope, { minutes, rounds, seed }: Options): Promise<Played> {
  const { ledger, signal } = scope;
  const short = minutes === undefined && rounds === undefined;
  const until = Date.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const most = short ? SHORT.rounds : (rounds ?? Number.POSITIVE_INFINITY);
  const size = short ? SHORT : LONG;
  say("streams cut at every offset…");
  await cutAgentStreams(scope, size.cuts);
  await cutGatewayStreams(scope, size.cuts);
  say("an approval through a blackout…");
  await approvalDrill(scope);
  const trials = await playTrials(scope, { size: size.trials, say });
  let longestSettleMs = 0;
  let turn = 0;
  for (; turn < most && Date.now() < until && !signal.aborted; turn++) {
    const rolling = turn % ROLLING_EVERY === ROLLING_EVERY - 1 || (short && turn === most - 1);
    // Each seed starts with a different heavy fault, so that short runs cover all of them over time.
    const options = { turn: turn + seed - 1, lightMs: size.lightMs, heavy: true, rolling };
    const times = await playRound(scope, options);
    longestSettleMs = Math.max(longestSettleMs, times.settleMs);
    sayRound(turn + 1, ledger, times);
  }
  signal.throwIfAborted();
  say("memory before and after a storm…");
  const memory = await checkMemory(scope, size.clients);
  await checkSeals(scope);
  const longestStallMs = checkStalls(scope);
  return { rounds: turn, longestSettleMs, trials, memory, longestStallMs };
}

/** The longest stall of the gateways' event loops in the whole run (ms), by their own time. */
function checkStalls({ world, ledger }: Scope): number {
  const logs = world.gateways.map(({ process }) => readFileSync(process.logFile, "utf8"));
  const { ms, line } = longestStall(logs);
  if (ms >= LONGEST_STALL_UNDER_LOAD_MS * ROOM) ledger.violate("event loop held", `${ms} ms`, line);
  return ms;
}

function sayRound(round: number, ledger: Ledger, { stormMs, settleMs, calmMs }: RoundTimes): void {
  const seconds = [stormMs, settleMs, calmMs].map((ms) => `${(ms / 1000).toFixed(0)} s`);
  const times = `${seconds[0]} of faults, all over after ${seconds[1]}, ${seconds[2]} of calm and checks`;
  say(`round ${round}: ${times}; ${ledger.runs.size} runs, ${ledger.violations.length} violations`);
}

await main(process.argv.slice(2)).catch(fail);
// Readers whose connection a fault left open must not keep the process alive.
process.exit();
