import type { UsageGroup, UsageReport } from "@interlock/contracts";
import { type Caller, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import {
  addUsage,
  dayOf,
  keysOf,
  NO_USAGE,
  USAGE_DAYS,
  type UsageAmounts,
  type UsageGroupKind,
  type UsageStore,
} from "../store/index.ts";

const DAY_MS = 86_400_000;

type UsageQuery = {
  groupBy: UsageReport["group_by"];
  /** Days such as `2026-11-22`; absent: today. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  /** Whose usage: the caller's own, or everybody's in the tenant. */
  scope: UsageReport["scope"];
};

/** What models used. @throws GatewayError invalid_request, store_unavailable */
export async function usageReport(
  store: UsageStore,
  caller: Pick<Caller, "tenant" | "issuer" | "subject">,
  { groupBy, limit, scope, ...days }: UsageQuery,
): Promise<UsageReport> {
  const { to = dayOf(Date.now()), from = to } = days;
  const principal = principalOf(caller);
  // Somebody's own usage is kept by model, session and run; all of it has one subject.
  const isWhole = groupBy === "tenant" || (groupBy === "subject" && scope === "own");
  const kind: UsageGroupKind = isWhole ? "model" : groupBy;
  const owner = scope === "own" ? principal : undefined;
  const { groups, truncated } = await store.read(
    { keys: keysOf(caller.tenant), owner, kind },
    daysBetween(from, to, USAGE_DAYS[kind]),
  );
  const shown = isWhole ? whole(groupBy === "tenant" ? caller.tenant : principal, groups) : [...groups];
  const sorted = shown.toSorted(([, one], [, other]) => weightOf(other) - weightOf(one));
  return {
    group_by: groupBy,
    scope,
    from,
    to,
    groups: sorted.slice(0, limit).map(([key, used]) => groupOf(key, used)),
    truncated: truncated || sorted.length > limit,
  };
}

function whole(key: string, groups: ReadonlyMap<string, UsageAmounts>): [string, UsageAmounts][] {
  return groups.size === 0 ? [] : [[key, [...groups.values()].reduce(addUsage, NO_USAGE)]];
}

/** By money, and by tokens where nothing has a price: a token weighs less than the least sum of money. */
function weightOf({ nanoUsd, inputTokens, outputTokens }: UsageAmounts): number {
  return nanoUsd + (inputTokens + outputTokens) / 1e12;
}

function groupOf(key: string, used: UsageAmounts): UsageGroup {
  return {
    key,
    calls: used.calls,
    failed: used.failed,
    estimated: used.estimated,
    input_tokens: used.inputTokens,
    cached_input_tokens: used.cachedInputTokens,
    output_tokens: used.outputTokens,
    reasoning_tokens: used.reasoningTokens,
    cost_usd: used.nanoUsd / 1e9,
  };
}

/** @throws GatewayError invalid_request */
function daysBetween(from: string, to: string, most: number): string[] {
  const first = Date.parse(from);
  const count = (Date.parse(to) - first) / DAY_MS + 1;
  if (!(count >= 1 && count <= most))
    throw new GatewayError(
      "invalid_request",
      `?from and ?to are days in order, and at most ${most} of them for these groups.`,
    );
  return Array.from({ length: count }, (_, at) => dayOf(first + at * DAY_MS));
}
