import type { AlertProposal } from "../effects/propose-alert.ts";
import { amountsIn } from "./language.ts";
import { filterText } from "./tell.ts";
import { chanceText } from "./tell-forecast.ts";
import type { Words } from "./words.ts";

/** A budget or alert as somebody is to decide on it. */
export function tellAlert({ proposed: [alert], review, restricted }: AlertProposal, words: Words): string {
  const { amount, format } = amountsIn({ currency: alert.currency });
  const { every, from, to } = alert.period;
  const { past } = review;
  const span = from === undefined || to === undefined ? undefined : words.days({ from, to });
  const shares = (of: "actual" | "forecast") =>
    alert.thresholds
      .filter((one) => one.of === of)
      .map(({ share }) => format.share(share, 3))
      .join(", ");
  return [
    words.alert.proposed({ kind: alert.kind, amount: amount(alert.amount), every, span }),
    ...(alert.filter.length > 0
      ? [words.filter(alert.filter.map((one) => filterText(one, words)).join("; "))]
      : []),
    words.alert.tells(shares("actual"), shares("forecast")),
    ...(review.amount_from === "forecast" ? [words.alert.nobodySaid] : []),
    words.alert.chance({
      when: words.days(review),
      expected: amount(review.expected),
      range: words.forecast.range(amount(review.p80[0]), amount(review.p80[1])),
      chance: review.chance_exceeded === null ? undefined : chanceText(review.chance_exceeded, format.share),
    }),
    ...(past && past.periods > 0 && every !== undefined
      ? [words.alert.past({ every, periods: past.periods, exceeded: past.exceeded, most: amount(past.most) })]
      : []),
    ...(restricted ? [words.restricted] : []),
  ].join("\n");
}
