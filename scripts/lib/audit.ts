import type { Redis } from "ioredis";
import { type Anchor, AnchorCheck } from "./audit-anchors.ts";
import {
  type ApprovalEvent,
  type ApprovalRecords,
  approvalProblems,
  type DecisionEntry,
} from "./audit-approvals.ts";
import { bookProblems } from "./audit-books.ts";
import { type ChainReport, fieldsOf, type LogEntry, verifyChain } from "./audit-chain.ts";
import { parseObject } from "./audit-json.ts";
import { securityProblem } from "./audit-security.ts";

const TENANTS = "il:tenants";
/** The keys of a tenant that outlive its runs. */
const KEPT = /^il:\{([^}]+)\}:(?:audit|approval|book|effects)/;
const PAGE = 500;
/** The gateways' default. */
const RUN_TTL_S = 7 * 24 * 60 * 60;

export type AuditReport = ChainReport & {
  /** Records that contradict each other, one line each. */
  problems: string[];
};

export type AuditOptions = { runTtlS?: number; anchors?: readonly Anchor[] };

/** All tenants: those that Redis lists, and those whose records are there although the list lacks them. */
export async function auditTenants(redis: Redis): Promise<string[]> {
  const tenants = new Set(await redis.smembers(TENANTS));
  for await (const key of keysLike(redis, "il:{*}:*")) {
    const tenant = KEPT.exec(key)?.[1];
    if (tenant !== undefined) tenants.add(tenant);
  }
  return [...tenants].sort();
}

/**
 * Verifies a tenant's decision log, and compares it with the approvals, the journals and logs of their runs, and the books. The mesh may
 * run meanwhile: what it changes between two reads looks like a contradiction once, so only what a second look finds too is reported.
 * @param options.runTtlS how long the gateways keep a finished run's record, in seconds
 * @param options.anchors what is known of the tenant's log from elsewhere
 */
export async function auditTenant(
  redis: Redis,
  tenant: string,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const first = await look(redis, tenant, options);
  if (!first.broken && first.problems.length === 0) return first;
  const second = await look(redis, tenant, options);
  return { ...second, problems: second.problems.filter((problem) => first.problems.includes(problem)) };
}

async function look(
  redis: Redis,
  tenant: string,
  { runTtlS = RUN_TTL_S, anchors = [] }: AuditOptions,
): Promise<AuditReport> {
  const prefix = `il:{${tenant}}:`;
  const problems: string[] = [];
  const names = await namesOf(redis, prefix);
  const entries = new Map<string, DecisionEntry[]>([...names.approvals].map((id) => [id, []]));
  const anchored = new AnchorCheck(anchors);
  const onEntry = ({ place, text }: LogEntry): void => {
    const entry = parseObject(text);
    if (entry?.act !== undefined) {
      const problem = securityProblem(entry);
      if (problem) problems.push(`entry ${place}: ${problem}`);
      return;
    }
    if (typeof entry?.approval !== "string") {
      problems.push(`entry ${place}: it names no approval`);
      return;
    }
    const before = entries.get(entry.approval) ?? [];
    entries.set(entry.approval, [...before, { ...entry, place }]);
  };
  const chain = await verifyChain(redis, tenant, onEntry, (length, digest) => anchored.pass(length, digest));
  problems.push(...anchored.problems());
  const gatedSteps = new Set<string>();
  for (const [id, said] of entries) {
    const records = await readApproval(redis, prefix, id, said);
    gatedSteps.add(`${records.fields.run}:${records.fields.step}`);
    for (const problem of approvalProblems(id, records)) problems.push(`approval ${id}: ${problem}`);
  }
  for (const [run, approval] of await approvalsOfRuns(redis, prefix, [...names.runs])) {
    if (!entries.has(approval)) problems.push(`run ${run}: its approval ${approval} does not exist`);
  }
  const books = [...names.books];
  problems.push(...(await bookProblems({ redis, prefix, books, gatedSteps, runTtlS })));
  return { ...chain, problems };
}

type Names = Record<"approvals" | "books" | "runs", Set<string>>;

/** Finds records by their keys: an index may lack what somebody wants to hide. */
async function namesOf(redis: Redis, prefix: string): Promise<Names> {
  const names: Names = { approvals: new Set(), books: new Set(), runs: new Set() };
  for await (const key of keysLike(redis, `${prefix}*`)) {
    const [kind, name, more] = key.slice(prefix.length).split(":");
    if (name === undefined) continue;
    if (kind === "approval") names.approvals.add(name);
    else if (kind === "book") names.books.add(name);
    else if (kind === "run" && more === undefined) names.runs.add(name);
  }
  return names;
}

/** @param pattern tenants and ids hold no character that a pattern gives a meaning */
async function* keysLike(redis: Redis, pattern: string): AsyncGenerator<string> {
  for (let cursor = "0"; ; ) {
    const [next, keys] = await redis.scan(cursor, "MATCH", pattern, "COUNT", 1_000);
    yield* keys;
    if (next === "0") return;
    cursor = next;
  }
}

async function readApproval(
  redis: Redis,
  prefix: string,
  id: string,
  entries: readonly DecisionEntry[],
): Promise<ApprovalRecords> {
  const key = `${prefix}approval:${id}`;
  const [fields, places] = await Promise.all([redis.hgetall(key), redis.lrange(`${key}:audit`, 0, -1)]);
  const run = `${prefix}run:${fields.run}`;
  const [runState, journal, events] = await Promise.all([
    redis.hget(run, "state"),
    redis.hget(`${run}:steps`, `approval.${fields.step}`),
    eventsOf(redis, `${run}:events`),
  ]);
  const state = runState ?? undefined;
  return { fields, places, entries, runState: state, journal: journal ?? undefined, events };
}

const ABOUT_APPROVALS = /"type":"(?:run_paused|approval_decided)"/;

/** The events of a run's log that are about approvals; undefined where the log has expired. */
async function eventsOf(redis: Redis, key: string): Promise<ApprovalEvent[] | undefined> {
  const events: ApprovalEvent[] = [];
  for (let after = "-"; ; ) {
    const page = await redis.xrange(key, after, "+", "COUNT", PAGE);
    if (after === "-" && page.length === 0) return undefined;
    for (const [, pairs] of page) {
      for (const line of (fieldsOf(pairs).e ?? "").split("\n")) {
        const event = ABOUT_APPROVALS.test(line) ? parseObject(line) : undefined;
        if (event) events.push({ type: String(event.type), data: { ...(event.data as object) } });
      }
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return events;
    after = `(${last[0]}`;
  }
}

/** Runs that waited for an approval, with the last one that they waited for. */
async function approvalsOfRuns(
  redis: Redis,
  prefix: string,
  runs: readonly string[],
): Promise<[run: string, approval: string][]> {
  const found: [string, string][] = [];
  for (let at = 0; at < runs.length; at += PAGE) {
    const ids = runs.slice(at, at + PAGE);
    const answers = await Promise.all(ids.map((id) => redis.hget(`${prefix}run:${id}`, "approval")));
    ids.forEach((id, index) => {
      const approval = answers[index];
      if (approval) found.push([id, approval]);
    });
  }
  return found;
}
