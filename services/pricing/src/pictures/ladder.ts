import type { Format } from "../format.ts";
import type { Violation } from "../policy-types.ts";
import { COLOURS, type Picture, picture, unit } from "./picture.ts";

/** Prices by tier, from high to low. */
export type Rungs = Readonly<Record<string, number>>;

/** The ladder of an item's tiers before and after, with the prices that break a rule marked. */
export function ladderPicture(
  name: string,
  sides: readonly {
    readonly label: string;
    readonly prices: Rungs;
    readonly violations: readonly Violation[];
  }[],
  currency: string | undefined,
  format: Format,
): Picture {
  const tiers = [...new Set(sides.flatMap(({ prices }) => Object.keys(prices)))];
  const values = sides.flatMap(({ label, prices, violations }, position) =>
    Object.entries(prices).map(([tier, price]) => {
      const broken = violations.some((violation) => violation.tiers.includes(tier));
      return {
        side: label,
        tier,
        price,
        below: position % 2,
        // The cross makes it readable without colours.
        text: `${format.price(price)}${broken ? " ✗" : ""}`,
        state: broken ? "breaks a rule (✗)" : "keeps the rules",
      };
    }),
  );
  const x = {
    field: "tier",
    type: "nominal",
    sort: tiers,
    title: "Tier, from high to low",
    axis: { labelAngle: 0 },
  };
  const y = {
    field: "price",
    type: "quantitative",
    title: `Price per unit${unit(currency)}`,
    scale: { zero: false, padding: 24 },
  };
  const order = sides.map(({ label }) => label);
  const offset = { field: "side", type: "nominal", sort: order };
  return picture(
    `Tiers of ${name}`,
    `in each tier from left to right: ${order.join(", ")}; the axis does not start at 0`,
    {
      data: { values },
      encoding: { x, y, xOffset: offset },
      layer: [
        {
          mark: { type: "point", filled: true, size: 110 },
          encoding: {
            shape: { field: "side", type: "nominal", sort: order, scale: { domain: order } },
            color: {
              field: "state",
              type: "nominal",
              scale: {
                domain: ["keeps the rules", "breaks a rule (✗)"],
                range: [COLOURS.proposed, COLOURS.bad],
              },
            },
          },
        },
        // Labels of neighbours lie above and below their points, so that they do not run into each other.
        ...[-13, 19].map((dy, below) => ({
          transform: [{ filter: `datum.below == ${below}` }],
          mark: { type: "text", dy, fontSize: 10 },
          encoding: { text: { field: "text", type: "nominal" } },
        })),
      ],
    },
  );
}
