import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dataDir, root } from "../../lib/paths.ts";
import { median } from "../load/figures.ts";
import type { Values } from "../measures/measure.ts";

/** One target of the side-by-side harness: its figures by measure, medians over the repetitions. */
export type PeerResult = { readonly target: string; readonly measures: Readonly<Record<string, Values>> };

export type PeersResult = { readonly repetitions: number; readonly targets: readonly PeerResult[] };

const OURS = "interlock";
const TARGETS = ["direct", "raw_parse", "a2a", "restate", "bullmq"];
const IDLE_TARGETS = ["direct", "raw_parse", "a2a"];

/** A row of the harness's file; figures beside names and texts. */
type Row = {
  readonly target: string;
  readonly measure: string;
  readonly rep: number;
  readonly error?: string;
  readonly foreign?: number;
  /** Requests or streams that failed. */
  readonly bad?: number;
  readonly levels?: readonly Readonly<Record<string, unknown>>[];
};

export type PeersOptions = {
  readonly repetitions: number;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
};

/**
 * Runs the harness in BENCH_PEERS_DIR, in a copy that has the gateway as one more target: same load, same worker, same minute.
 * BENCH_PEERS lists other targets. What the peers need is installed once, by the harness's own script, into PEERS_DEPS.
 */
export async function measurePeers({ repetitions, signal, say }: PeersOptions): Promise<PeersResult> {
  const source = process.env.BENCH_PEERS_DIR;
  if (!source || !existsSync(join(source, "bench.mjs")))
    throw new Error("--peers needs the folder of the side-by-side harness in BENCH_PEERS_DIR");
  const deps = resolve(process.env.PEERS_DEPS || join(dataDir, "bench-peers"));
  const copy = mkdtempSync(join(tmpdir(), "interlock-bench-peers-"));
  try {
    cpSync(resolve(source), copy, { recursive: true });
    cpSync(fileURLToPath(new URL("../target.mjs", import.meta.url)), join(copy, "targets", `${OURS}.mjs`));
    const env = { ...process.env, PEERS_DEPS: deps, INTERLOCK_ROOT: root };
    const run = (command: string, args: readonly string[]) => inCopy(copy, env, signal, command, args);
    if (!existsSync(join(deps, "node_modules"))) {
      say(`installing what the peers need into ${deps}`);
      mkdirSync(deps, { recursive: true });
      await run("sh", ["setup.sh"]);
      // The harness's raw proxies use an interface that the next major version has given up.
      await run("npm", ["install", "--prefix", deps, "undici@7"]);
    }
    const targets = [...(process.env.BENCH_PEERS?.split(",") ?? TARGETS), OURS];
    const out = join(copy, "results.jsonl");
    const bench = (names: readonly string[], measures: string, reps: number, tries: number) =>
      run(process.execPath, [
        ...["bench.mjs", "--targets", names.join(","), "--measures", measures, "--reps", String(reps)],
        ...["--secs", "2.5", "--tries", String(tries), "--max-foreign", "0.2", "--out", out],
      ]);
    await bench(targets, "sync1,sync,burst,paced,approvals", repetitions, 2);
    const idle = targets.filter((name) => name === OURS || IDLE_TARGETS.includes(name));
    // Once: what the first try leaves in memory would make the second one look better.
    await bench(idle, "idle", 1, 1);
    return { repetitions, targets: readRows(readFileSync(out, "utf8"), targets) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function inCopy(
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  command: string,
  args: readonly string[],
): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: "inherit" });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  const [code] = await once(child, "exit");
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${args[0]} ended with exit code ${code}`);
}

/** Of every repetition the least disturbed try, of every figure the median. */
export function readRows(text: string, targets: readonly string[]): PeerResult[] {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => row.error === undefined && !(row.bad && row.bad > 0));
  return targets.map((target) => {
    const own = Map.groupBy(
      rows.filter((row) => row.target === target),
      ({ measure }) => measure,
    );
    const measures = [...own].map(([measure, of]) => [measure, mediansOf(leastDisturbed(of))] as const);
    return { target, measures: Object.fromEntries(measures) };
  });
}

function leastDisturbed(rows: readonly Row[]): Row[] {
  const calm = ({ foreign = 0 }: Row) => Math.abs(foreign);
  return [...Map.groupBy(rows, ({ rep }) => rep).values()].flatMap(
    (tries) => tries.toSorted((a, b) => calm(a) - calm(b))[0] ?? [],
  );
}

function mediansOf(rows: readonly Row[]): Values {
  const flat = rows.map(({ levels = [], ...row }) => ({
    ...row,
    // Idle streams are measured at several numbers of them.
    ...Object.fromEntries(levels.map((level) => [`kib_at_${level.n}`, level.kib_per_stream])),
  }));
  const names = new Set(flat.flatMap((row) => Object.keys(row)));
  const medians: Record<string, number> = {};
  for (const name of names) {
    const values = flat.flatMap((row) => {
      const value = (row as Readonly<Record<string, unknown>>)[name];
      return typeof value === "number" ? value : [];
    });
    if (values.length > 0) medians[name] = median(values);
  }
  return medians;
}
