import { isDeepStrictEqual } from "node:util";
import type { Redis } from "ioredis";
import { fieldsOf } from "./audit-chain.ts";
import { parseJson, parseObject } from "./audit-json.ts";

const PAGE = 500;

type BookScope = {
  redis: Redis;
  /** What the tenant's keys begin with. */
  prefix: string;
  books: readonly string[];
  /** `run:step` of every approval. */
  gatedSteps: ReadonlySet<string>;
  /** Seconds that a finished run's record is kept. */
  runTtlS: number;
};

type BookEntry = { book: string; place: string; effect: string; entry: Readonly<Record<string, unknown>> };

/**
 * Compares the books with the record of effects, with the approvals that their entries name, and, where an entry names none, with the
 * run that wrote it.
 */
export async function bookProblems(scope: BookScope): Promise<string[]> {
  const { redis, prefix, books } = scope;
  const effects = new Map(Object.entries(await redis.hgetall(`${prefix}effects`)));
  const problems: string[] = [];
  for (const book of books) {
    for (let after = "-"; ; ) {
      const page = await redis.xrange(`${prefix}book:${book}`, after, "+", "COUNT", PAGE);
      for (const [place, pairs] of page) {
        const { effect = "", payload } = fieldsOf(pairs);
        const entry = { book, place, effect, entry: parseObject(payload) ?? {} };
        const known = effects.get(effect) === place;
        effects.delete(effect);
        const found = known ? await entryProblem(entry, scope) : "it is not in the record of effects";
        if (found) problems.push(`book ${book}, entry ${place}: ${found}`);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = `(${last[0]}`;
    }
  }
  for (const [effect, place] of effects) problems.push(`effect ${effect}: no book has its entry ${place}`);
  return problems;
}

async function entryProblem(
  { effect, entry, place }: BookEntry,
  scope: BookScope,
): Promise<string | undefined> {
  const { redis, prefix, gatedSteps } = scope;
  const { run_id, step, requested_by, approval_id, approved_by, sample, payload } = entry;
  if (effect !== `${run_id}:${step}`) return "it names another run or step than its effect";
  if (typeof approval_id !== "string") {
    if (gatedSteps.has(effect)) return "it names no approval, but its step asked for one";
    return await unapprovedProblem(`${prefix}run:${run_id}`, String(step), place, scope);
  }
  const names = ["run", "step", "state", "winner", "proposal", "requested_by", "sample"] as const;
  const values = await redis.hmget(`${prefix}approval:${approval_id}`, ...names);
  const [run, ofStep, state, winner, proposal, asker, ofSample] = values;
  if (run !== run_id || ofStep !== step) return "its approval does not exist or is about another step";
  if (state !== "approved" || parseObject(winner)?.by !== approved_by)
    return "its approval was not given, or by somebody else";
  // Entries from before there was a mark have neither.
  if (requested_by !== undefined && requested_by !== asker) return "it names another asker than its approval";
  if (sample === false && ofSample === "1") return "it lacks the mark of a sample that its approval has";
  return contains(payload, parseJson(proposal))
    ? undefined
    : "it does not hold the proposal that was approved";
}

/** A step whose rule asks for no approval leaves its result in its run's journal, for as long as the run's record is kept. */
async function unapprovedProblem(
  runKey: string,
  step: string,
  place: string,
  { redis, runTtlS }: BookScope,
): Promise<string | undefined> {
  const [known, journaled, [seconds]] = await Promise.all([
    redis.exists(runKey),
    redis.hexists(`${runKey}:steps`, step),
    redis.time(),
  ]);
  if (known === 1) return journaled === 1 ? undefined : "its run has no result of its step";
  const ageS = Number(seconds) - Number.parseInt(place, 10) / 1000;
  return ageS < runTtlS ? "it names no approval, and its run does not exist" : undefined;
}

/** Whether the payload is the proposal, or has it somewhere within. */
function contains(payload: unknown, proposal: unknown): boolean {
  if (isDeepStrictEqual(payload, proposal)) return true;
  if (typeof payload !== "object" || payload === null) return false;
  return Object.values(payload).some((member) => contains(member, proposal));
}
