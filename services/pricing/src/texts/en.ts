import type { FindingCode } from "../data/findings.ts";
import { analysisInEnglish } from "./en-analysis.ts";
import { constraintsInEnglish } from "./en-constraints.ts";
import { FOUND_IN_ENGLISH } from "./en-data.ts";
import type { Numbers, Objective, PrintedMove, ViolationType } from "./numbers.ts";

const VIOLATIONS: Readonly<Record<ViolationType, readonly [one: string, many: string]>> = {
  hierarchy_inversion: ["hierarchy inversion", "hierarchy inversions"],
  insufficient_tier_margin: ["gap between tiers below its minimum", "gaps between tiers below their minimum"],
  invalid_price: ["invalid price", "invalid prices"],
  out_of_bounds: ["price out of bounds", "prices out of bounds"],
  below_minimum_margin: ["price below its minimum margin", "prices below their minimum margin"],
  above_maximum_change: ["change above the maximum", "changes above the maximum"],
};

/** The agents' sentences in English; numbers in them are printed by `n`. */
export function english(n: Numbers) {
  const items = (count: number) => n.counted(count, "item", "items");
  const prices = (count: number) => n.counted(count, "price", "prices");
  const rules = (count: number) => n.counted(count, "rule", "rules");
  const inBrackets = (share: string | undefined) => (share === undefined ? "" : ` (${share})`);
  return {
    list: n.list,
    sampleCatalogue: (count: number) =>
      `This is the sample catalogue of ${items(count)} that comes with the agent, not your data.`,
    catalogueRead: (read: {
      rows: number;
      items: number;
      columns: readonly string[];
      unused: readonly string[];
      tiers: readonly string[];
      elasticity: number | undefined;
    }) =>
      [
        `Read ${n.counted(read.rows, "row", "rows")} of ${items(read.items)}: ${read.columns.join(", ")}.`,
        ...(read.unused.length === 0 ? [] : [`Not used: ${read.unused.join(", ")}.`]),
        ...(read.tiers.length < 2 ? [] : [`Tiers, the dearest first: ${read.tiers.join(", ")}.`]),
        ...(read.elasticity === undefined ? [] : [`Assumed for all: elasticity ${read.elasticity}.`]),
      ].join(" "),
    more: (count: number) => `- … and ${n.count(count)} more`,
    missing: (count: number, named: readonly string[]) =>
      [
        `${items(count)} could not be worked on:`,
        ...named,
        ...(count > named.length ? [`and ${items(count - named.length)} more`] : []),
      ].join("\n- "),
    /** Why an item is missing. */
    failure: ({ message }: { code: string; message: string }) => message,

    proposal: {
      title: (about: { priced: number; failed: number; onlyViolating: boolean }) => {
        const { priced, failed, onlyViolating } = about;
        if (onlyViolating)
          return `Proposed prices for the ${items(priced)} that ${priced === 1 ? "breaks" : "break"} a rule today`;
        return failed === 0
          ? "Proposed prices"
          : `Proposed prices for ${n.count(priced)} of ${items(priced + failed)}`;
      },
      price: (name: string, tier: string, { from, to, share }: PrintedMove) =>
        `- ${name}, ${tier}: ${from} → ${to}${inBrackets(share)}`,
      table: {
        title: "Proposed prices",
        columns: {
          item: "Item",
          tier: "Tier",
          today: "Today",
          proposed: "Proposed",
          change: "Change",
          why: "Why",
        },
        why: {
          best: (objective: Objective) => `most ${objective} a period`,
          held: "stays: the data do not tell how demand answers to it",
          frozen: "stays as it is",
          substitution: "as far as the data tell how sales move between tiers",
          caution: "as far as the data show a gain",
          repaired: "changed to keep the rules",
          gap: (other: string) => `as near to ${other} as the minimum gap allows`,
          order: (other: string, above: boolean) => `just ${above ? "above" : "below"} ${other}`,
          limit: (limit: string) => `at the ${limit}`,
        },
      },
      failures: (count: number) => `No price was found for ${items(count)}`,
      effect: (profit: PrintedMove, revenue: PrintedMove) =>
        `Profit ${profit.from} → ${profit.to}, revenue ${revenue.from} → ${revenue.to}.`,
      effectWithShares: (profit: PrintedMove, revenue: PrintedMove) =>
        `Expected effect: profit ${profit.from} → ${profit.to}${inBrackets(profit.share)}, revenue ${revenue.from} → ${revenue.to}${inBrackets(revenue.share)}.`,
      warnings: "Please note",
      data: "About the data",
      found: (code: FindingCode, tiers: number, rows: number) =>
        `- ${FOUND_IN_ENGLISH[code]} (${n.counted(tiers, "price", "prices")}${rows > 0 ? `, ${n.counted(rows, "row", "rows")}` : ""})`,
      forms: (tiers: number, low: string, high: string) =>
        `- the form of demand is open: those that the data do not reject put the gain of ${n.counted(tiers, "move", "moves")} between ${low} and ${high} a period`,
      pricesFollow: (tiers: number) =>
        `- no data tell whether ${n.counted(tiers, "price", "prices")} followed demand or rivals, which would make the elasticity wrong: say it with prices_follow`,
      upside: (objective: Objective) =>
        `Largest upside, as ${objective} a period at the best prices against today's`,
      gain: (name: string, { from, to }: PrintedMove, gain: string) => `- ${name}: ${from} → ${to} (${gain})`,
      move: ({ from, to, share }: PrintedMove) =>
        `At today's prices profit is ${from} a period; after this move it would be ${to}${inBrackets(share)}.`,
      costMove: ({ from, to, share }: PrintedMove, best: string) =>
        `At today's prices profit would go from ${from} to ${to} a period${inBrackets(share)}. With prices set anew for these costs it would be ${best}.`,
    },

    policy: {
      keep: (count: number, proposed: boolean) =>
        `The ${proposed ? "proposed " : ""}prices of ${items(count)} keep all rules.`,
      breaks: (count: number, proposed: boolean, found: string) =>
        `The ${proposed ? "proposed " : ""}prices of ${items(count)} break the rules ${found}.`,
      todayKeeps: "Today's prices keep them too.",
      todayBreaks: (found: string) => `Today's prices break them ${found}.`,
      found: (total: number, parts: readonly string[]) =>
        `${total === 1 ? "once" : `${n.count(total)} times`}: ${parts.join(", ")}`,
      violations: (type: ViolationType, count: number) => n.counted(count, ...VIOLATIONS[type]),
      fixes: (count: number) =>
        `${n.counted(count, "price change fixes", "price changes fix")} this with the least joint change.`,
      stuck: (count: number) =>
        `${n.counted(count, "item has", "items have")} no fix, because the rules contradict each other.`,
      released: (count: number) => `${n.counted(count, "anchor", "anchors")} had to be released.`,
      worst: (count: number) => `The worst ${n.count(count)}:`,
      moveKeeps: "No rule would break.",
      moveBreaks: (broken: number, fresh: number) => {
        const head = `Rules that would be broken: ${n.count(broken)}`;
        if (fresh === 0) return `${head}, the same as today.`;
        return fresh === broken
          ? `${head}, none of them today:`
          : `${head}, of which ${n.count(broken - fresh)} are broken today too. New:`;
      },
    },

    /** Single rules that a price breaks. */
    violation: {
      needsPrice: (tier: string) => `${tier} needs a price: a finite number above 0.`,
      below: (tier: string, price: string, least: string, rule: string) =>
        `${tier} at ${price} is below ${least}, the least that ${rule} allows.`,
      above: (tier: string, price: string, most: string, rule: string) =>
        `${tier} at ${price} is above ${most}, the most that ${rule} allows.`,
      rules: {
        bounds: "its bounds",
        minimum_margin: "the minimum margin over unit cost",
        max_change: "the maximum change",
      },
      withinIncrement: (pair: Pair, increment: string) =>
        `${pair.lower} at ${pair.low} is less than one increment (${increment}) below ${pair.higher} at ${pair.high}.`,
      inverted: ({ higher, high, lower, low }: Pair) =>
        `${lower} at ${low} is not below ${higher} at ${high}.`,
      gap: ({ higher, high, lower, low }: Pair, actual: string, required: string) =>
        `${lower} at ${low} is ${actual} below ${higher} at ${high}; at least ${required} is required.`,
    },

    report: {
      todayKeeps: "Policy: today's prices break no rule.",
      todayBreaks: (count: number) => `Policy: today's prices break ${rules(count)}:`,
      smallestFix: "Smallest fix of today's prices:",
      keeps: (repairs: number) =>
        `The proposal keeps every rule${repairs === 0 ? "." : `, after ${n.counted(repairs, "repair", "repairs")}.`}`,
      breaks: (count: number) => `The proposal still breaks ${rules(count)}:`,
      drivers: (text: string) => `Drivers: ${text}`,
      robustness: (text: string) => `Robustness: ${text}`,
      nothingViolates: "Today's prices break no rule, so there is nothing to change.",
      noPrices: (failed: number) =>
        failed === 0 ? "No prices are proposed." : `No price was found for any of ${items(failed)}.`,
    },

    constraints: constraintsInEnglish(n, { items, prices }),
    ...analysisInEnglish(n),
  };
}

type Pair = {
  readonly higher: string;
  readonly high: string;
  readonly lower: string;
  readonly low: string;
};

/** What a language has to say: every sentence of the English one. */
export type Texts = ReturnType<typeof english>;
