import type { CostAnswer, Part } from "../query/types.ts";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A Vega-Lite v5 specification with its data inline. */
export type Picture = { readonly [name: string]: Json };

const PREFIX = "data:application/vnd.vegalite.v5+json,";

/** A picture as an artifact of the agent contract, which holds strings: a data URI of Vega-Lite's media type. */
export function artifactOf(spec: Picture): string {
  return `${PREFIX}${encodeURIComponent(JSON.stringify(spec))}`;
}

/** Bars of an answer's groups: of a time in its order, stacked by the next dimension, or of names, the largest first. */
export function barsOf({ query }: CostAnswer, part: Part, title: string): Picture {
  const [time, entity] = axesOf(query.group_by);
  const values = part.groups.map(({ keys, names, value }) => ({
    x: labelOf(time === undefined ? entity : time, keys, names),
    colour: time === undefined ? null : labelOf(entity, keys, names),
    value,
  }));
  const unit = part.currency ?? part.unit ?? "";
  const amount = { field: "value", type: "quantitative", title: unit } as const;
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description: title,
    title: { text: title, anchor: "start", fontSize: 14, offset: 12 },
    width: 520,
    height: time === undefined ? { step: 22 } : 260,
    background: "white",
    data: { values },
    mark: { type: "bar", tooltip: true },
    encoding:
      time === undefined
        ? {
            y: { field: "x", type: "nominal", sort: "-x", title: null, axis: { labelLimit: 260 } },
            x: amount,
          }
        : {
            x: { field: "x", type: "ordinal", title: null },
            y: amount,
            ...(entity === undefined ? {} : { color: { field: "colour", type: "nominal", title: null } }),
          },
  };
}

const TIMES = new Set(["day", "week", "month", "quarter"]);

function axesOf(names: readonly string[]): [time: string | undefined, entity: string | undefined] {
  return [names.find((name) => TIMES.has(name)), names.find((name) => !TIMES.has(name))];
}

function labelOf(
  dimension: string | undefined,
  keys: Readonly<Record<string, string | null>>,
  names: Readonly<Record<string, string>> | undefined,
): string | null {
  return dimension === undefined ? null : (names?.[dimension] ?? keys[dimension] ?? "–");
}
