import type { FindingCode } from "./data/findings.ts";
import type { Format } from "./format.ts";
import type { ItemProposal, ProposalTotals } from "./proposal.ts";
import type { PrintedMove } from "./texts/numbers.ts";
import type { Objective } from "./types.ts";

const MOST_PRICES = 40;
const MOST_WARNINGS = 10;

/** What a summary of proposed prices is told besides them. */
export type AboutProposal = {
  readonly totals: ProposalTotals;
  readonly objective: Objective;
  /** Items that no price was found for. */
  readonly failed: number;
  readonly warnings: readonly string[];
  /** How many items somebody wants to see: those that gain most. */
  readonly top?: number | undefined;
  /** The prices are a move that somebody asks about. */
  readonly isMove?: boolean;
  /** The items were chosen because they break a rule today. */
  readonly onlyViolating?: boolean;
};

/** A price as it is and as it is proposed. */
export type PriceMove = {
  readonly item_id: string;
  readonly tier: string;
  readonly from: number;
  readonly to: number;
};

/** The proposed prices and what they are expected to do; of a what-if, what it would do. */
export function proposalSummary(
  proposals: readonly ItemProposal[],
  about: AboutProposal,
  format: Format,
): string {
  const { texts } = format;
  const whatIf = whatIfLine(about, format);
  if (whatIf !== undefined) return [whatIf, ...noteLines(about.warnings, format)].join("\n");
  const { objective, top } = about;
  if (top !== undefined) return upsideLines(gainsOf(proposals, objective), top, objective, format).join("\n");
  const prices = proposals.flatMap(({ item_id, tiers }) =>
    Object.entries(tiers).map(([tier, { current_price: from, price: to }]) => ({ item_id, tier, from, to })),
  );
  const { failed, onlyViolating = false, totals } = about;
  return [
    texts.proposal.title({ priced: proposals.length, failed, onlyViolating }),
    ...priceLines(prices, format),
    "",
    texts.proposal.effect(wholeMove(totals, "profit", format), wholeMove(totals, "revenue", format)),
    ...findingLines(proposals, format),
    ...noteLines(about.warnings, format),
  ].join("\n");
}

/** What a move of prices or of costs would do to profit; undefined where no such move is asked about. */
export function whatIfLine(
  {
    totals,
    isMove = false,
  }: {
    totals: Pick<ProposalTotals, "at_todays_costs"> & { current: Figures; expected: Figures };
    isMove?: boolean;
  },
  format: Format,
): string | undefined {
  const { proposal: texts } = format.texts;
  const { current, expected, at_todays_costs: before } = totals;
  if (isMove) return texts.move(moneyMove(current.profit, expected.profit, format));
  if (before === undefined) return undefined;
  return texts.costMove(moneyMove(before.profit, current.profit, format), format.money(expected.profit));
}

/** A line for each of the first prices, and one that counts the others. */
export function priceLines(prices: readonly PriceMove[], format: Format): string[] {
  const { texts } = format;
  const lines = prices.slice(0, MOST_PRICES).map(({ item_id, tier, from, to }) => {
    const share = from > 0 ? format.signedShare((to - from) / from) : undefined;
    return texts.proposal.price(item_id, tier, { from: format.price(from), to: format.price(to), share });
  });
  return prices.length > MOST_PRICES ? [...lines, texts.more(prices.length - MOST_PRICES)] : lines;
}

/** What the data gate found, one line for each kind: the prices concerned, and rows of the files. */
function findingLines(proposals: readonly ItemProposal[], format: Format): string[] {
  const { texts } = format;
  const kinds = new Map<FindingCode, { tiers: number; rows: number }>();
  for (const { tiers } of proposals) {
    for (const { demand_model } of Object.values(tiers)) {
      for (const { code, rows } of demand_model.findings ?? []) {
        const known = kinds.get(code) ?? { tiers: 0, rows: 0 };
        kinds.set(code, { tiers: known.tiers + 1, rows: known.rows + rows });
      }
    }
  }
  const lines = [
    ...[...kinds].map(([code, { tiers, rows }]) => texts.proposal.found(code, tiers, rows)),
    ...formLine(proposals, format),
    ...questionLine(proposals, format),
  ];
  if (lines.length === 0) return [];
  return ["", texts.proposal.data, ...lines];
}

/** What the forms of demand that the data do not reject say of the moves together, if they differ. */
function formLine(proposals: readonly ItemProposal[], format: Format): string[] {
  const moved = proposals.flatMap(({ tiers }) =>
    Object.values(tiers).filter(
      ({ forms, price, current_price }) => forms !== undefined && price !== current_price,
    ),
  );
  const sum = (end: "low" | "high") => moved.reduce((total, { forms }) => total + (forms?.gain[end] ?? 0), 0);
  const [low, high] = (["low", "high"] as const).map((end) => format.wholeMoney(sum(end)));
  if (low === undefined || high === undefined || low === high) return [];
  return [format.texts.proposal.forms(moved.length, low, high)];
}

/** Whether prices followed demand or rivals, which no data tell: asked once, of the fits that nobody said it of. */
function questionLine(proposals: readonly ItemProposal[], { texts }: Format): string[] {
  const open = questionsOf(proposals).reduce((sum, { tiers }) => sum + tiers, 0);
  return open === 0 ? [] : [texts.proposal.pricesFollow(open)];
}

/** What only the reader can tell (wire shape); `tiers` is of how many prices it is asked. */
export type Question = { code: "prices_follow"; tiers: number };

/** The questions that these proposals leave open. */
export function questionsOf(proposals: readonly ItemProposal[]): Question[] {
  const tiers = proposals
    .flatMap((item) => Object.values(item.tiers))
    .filter(({ demand_model: { model, identified, prices_follow } }) => {
      return model === "fit" && identified === true && prices_follow === undefined;
    }).length;
  return tiers === 0 ? [] : [{ code: "prices_follow", tiers }];
}

/** What must be known before the prices are used. */
export function noteLines(warnings: readonly string[], { texts }: Format): string[] {
  if (warnings.length === 0) return [];
  const more = warnings.length - MOST_WARNINGS;
  return [
    "",
    texts.proposal.warnings,
    ...warnings.slice(0, MOST_WARNINGS).map((warning) => `- ${warning}`),
    ...(more > 0 ? [texts.more(more)] : []),
  ];
}

/** A figure today and as expected, in whole units of money, with the change where there is one. */
export function wholeMove(
  { current, expected }: { current: Figures; expected: Figures },
  figure: keyof Figures,
  format: Format,
): PrintedMove {
  const [from, to] = [current[figure], expected[figure]];
  const share = from === 0 ? undefined : format.signedShare((to - from) / Math.abs(from));
  return { from: format.wholeMoney(from), to: format.wholeMoney(to), share };
}

type Figures = { readonly profit: number; readonly revenue: number };

/** The items that gain most, with what they earn today and at the proposed prices. */
export function upsideLines(
  gains: readonly { readonly item_id: string; readonly from: number; readonly to: number }[],
  most: number,
  objective: Objective,
  format: Format,
): string[] {
  const { proposal: texts } = format.texts;
  const largest = gains.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, most);
  const lines = largest.map(({ item_id, from, to }) => {
    const gain = to < from ? format.wholeMoney(to - from) : `+${format.wholeMoney(to - from)}`;
    return texts.gain(item_id, { from: format.wholeMoney(from), to: format.wholeMoney(to) }, gain);
  });
  return [texts.upside(objective), ...lines];
}

function gainsOf(proposals: readonly ItemProposal[], objective: Objective) {
  return proposals.map(({ item_id, tiers }) => {
    const all = Object.values(tiers);
    const from = all.reduce((sum, { current }) => sum + current[objective], 0);
    const to = all.reduce((sum, { expected }) => sum + expected[objective], 0);
    return { item_id, from, to };
  });
}

function moneyMove(from: number, to: number, format: Format): PrintedMove {
  const share = from > 0 ? format.signedShare((to - from) / from) : undefined;
  return { from: format.money(from), to: format.money(to), share };
}
