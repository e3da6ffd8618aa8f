import standard from "../data/rule-pack.json" with { type: "json" };
import { type Gap, gapOf, type MinGap } from "./gap.ts";

/** Minimum gaps by pair (`<higher>_<lower>`) or `default`; keys in lower case. */
export type GapScope = ReadonlyMap<string, MinGap>;

/** The rules under which prices are both optimized and checked. Shares are fractions: 0.03 is 3%. */
export type RulePack = {
  readonly name: string;
  readonly version: string;
  readonly minimumGap: {
    readonly fallback: MinGap;
    readonly regions: ReadonlyMap<string, GapScope>;
    readonly segments: ReadonlyMap<string, GapScope>;
  };
  /** price ≥ unit cost · (1 + share); undefined: the rule is off. */
  readonly minimumMargin: number | undefined;
  /** |price − current price| ≤ share · current price; undefined: the rule is off. */
  readonly maximumChange: number | undefined;
};

/** A rule pack file is invalid; `path` is the JSON pointer of the offending value. */
export class RulePackError extends Error {
  readonly code = "INVALID_RULE_PACK";
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`rule pack ${path || "/"} ${reason}`);
    this.name = "RulePackError";
    this.path = path;
  }
}

/**
 * Reads a rule pack from parsed JSON in the shape of `data/rule-pack.schema.json`.
 * @throws RulePackError for a missing, unknown or out-of-range value; unknown fields too, because a misspelt
 *   rule must not be ignored
 */
export function parseRulePack(json: unknown): RulePack {
  const pack = objectAt(json, "", [
    "$schema",
    "name",
    "version",
    "description",
    "minimum_gap",
    "minimum_margin",
    "maximum_change",
  ]);
  for (const key of ["$schema", "description"]) {
    if (pack[key] !== undefined && typeof pack[key] !== "string")
      throw new RulePackError(`/${key}`, "must be a string");
  }
  const gap = objectAt(pack.minimum_gap, "/minimum_gap", ["default", "regions", "segments"]);
  return {
    name: textAt(pack.name, "/name"),
    version: textAt(pack.version, "/version"),
    minimumGap: {
      fallback: gapAt(gap.default, "/minimum_gap/default"),
      regions: scopesAt(gap.regions, "/minimum_gap/regions"),
      segments: scopesAt(gap.segments, "/minimum_gap/segments"),
    },
    minimumMargin: switchAt(pack.minimum_margin, "/minimum_margin", "share_of_cost"),
    maximumChange: switchAt(pack.maximum_change, "/maximum_change", "share_of_current"),
  };
}

/** The shipped pack: 3%, EMEA 4%, APAC 2%, premium 5%, budget 2%; margin and change rules off. */
export const standardRulePack: RulePack = parseRulePack(standard);

/**
 * The minimum gap between two tiers that are adjacent in the tier order. Precedence, for share and amount apart:
 * request thresholds > segment > region > default of the pack; within a level, the pair's gap precedes the level's
 * default. Names are case-insensitive.
 */
export function resolveGap(
  pack: RulePack,
  scope: {
    segment?: string | undefined;
    region?: string | undefined;
    thresholds?: Readonly<Record<string, MinGap>> | undefined;
  },
  higher: string,
  lower: string,
): Gap {
  const pair = `${higher}_${lower}`.toLowerCase();
  const level = (gaps: GapScope | undefined) => [gaps?.get(pair), gaps?.get("default")];
  return gapOf(
    ...level(scope.thresholds && lowerKeys(scope.thresholds)),
    ...level(pack.minimumGap.segments.get((scope.segment ?? "").toLowerCase())),
    ...level(pack.minimumGap.regions.get((scope.region ?? "").toLowerCase())),
    pack.minimumGap.fallback,
  );
}

function lowerKeys(gaps: Readonly<Record<string, MinGap>>): GapScope {
  return new Map(Object.entries(gaps).map(([key, gap]) => [key.toLowerCase(), gap]));
}

function objectAt(value: unknown, path: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RulePackError(path, "must be an object");
  }
  const unknown = known && Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new RulePackError(`${path}/${unknown}`, "is not a known rule");
  return Object.fromEntries(Object.entries(value));
}

function textAt(value: unknown, path: string): string {
  if (typeof value !== "string" || value.trim() === "" || value.length > 100) {
    throw new RulePackError(path, "must be a non-blank string of at most 100 characters");
  }
  return value;
}

function gapAt(value: unknown, path: string): MinGap {
  if (typeof value !== "object" || value === null) return gapShareAt(value, path);
  const { share, amount } = objectAt(value, path, GAP_PARTS);
  if (amount !== undefined && (typeof amount !== "number" || !(amount >= 0 && amount < 1e12)))
    throw new RulePackError(`${path}/amount`, "must be an amount of money: at least 0");
  return {
    ...(share !== undefined && { share: gapShareAt(share, `${path}/share`) }),
    ...(amount !== undefined && { amount }),
  };
}

const GAP_PARTS = ["share", "amount"];

function isGap(value: unknown): boolean {
  if (typeof value === "number") return true;
  if (typeof value !== "object" || value === null) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => GAP_PARTS.includes(key));
}

function gapShareAt(value: unknown, path: string): number {
  if (typeof value !== "number" || !(value >= 0 && value < 1)) {
    throw new RulePackError(path, "must be a share: at least 0 and less than 1");
  }
  return value;
}

function scopesAt(value: unknown, path: string): ReadonlyMap<string, GapScope> {
  const scopes = new Map<string, GapScope>();
  if (value === undefined) return scopes;
  for (const [name, gaps] of Object.entries(objectAt(value, path))) {
    if (scopes.has(name.toLowerCase())) throw new RulePackError(`${path}/${name}`, "is named twice");
    scopes.set(name.toLowerCase(), scopeAt(gaps, `${path}/${name}`));
  }
  return scopes;
}

function scopeAt(value: unknown, path: string): GapScope {
  if (isGap(value)) return new Map([["default", gapAt(value, path)]]);
  const gaps = new Map<string, MinGap>();
  for (const [key, gap] of Object.entries(objectAt(value, path))) {
    if (gaps.has(key.toLowerCase())) throw new RulePackError(`${path}/${key}`, "is named twice");
    gaps.set(key.toLowerCase(), gapAt(gap, `${path}/${key}`));
  }
  if (gaps.size === 0) throw new RulePackError(path, "must name at least one gap");
  return gaps;
}

function switchAt(value: unknown, path: string, field: string): number | undefined {
  if (value === undefined) return undefined;
  const rule = objectAt(value, path, ["enabled", field]);
  if (typeof rule.enabled !== "boolean") throw new RulePackError(`${path}/enabled`, "must be true or false");
  const share = rule[field];
  if (typeof share !== "number" || !(share >= 0 && share < Number.POSITIVE_INFINITY)) {
    throw new RulePackError(`${path}/${field}`, "must be a share of at least 0");
  }
  return rule.enabled ? share : undefined;
}
