/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A Vega-Lite v5 specification with its data inline. */
export type Picture = { readonly [name: string]: Json };

/** Items that an answer has pictures of, however many it is about: artifacts stay small. */
export const MOST_PICTURED = 3;

export const COLOURS = {
  today: "#6b7280",
  proposed: "#0f62a8",
  good: "#2a7f3f",
  bad: "#b3261e",
  band: "#9cc3e6",
} as const;

/** The currency in brackets, where it is known. */
export function unit(currency: string | undefined, suffix = ""): string {
  return currency === undefined ? suffix : ` (${currency}${suffix})`;
}

export function picture(title: string, subtitle: string, body: Readonly<Record<string, Json>>): Picture {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description: title,
    width: 520,
    height: 260,
    background: "white",
    config: {
      font: "DejaVu Sans, Arial, sans-serif",
      axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal", gridColor: "#e5e7eb" },
      legend: { labelFontSize: 11, titleFontSize: 12, labelLimit: 320, orient: "bottom", title: null },
      view: { stroke: null },
    },
    ...body,
    title: { text: title, subtitle, anchor: "start", fontSize: 14, subtitleFontSize: 11, offset: 12 },
  };
}

const PREFIX = "data:application/vnd.vegalite.v5+json,";

/** A picture as an artifact of the agent contract, which holds strings: a data URI of Vega-Lite's media type. */
export function artifactOf(spec: Picture): string {
  return `${PREFIX}${encodeURIComponent(JSON.stringify(spec))}`;
}

/** The specification in an artifact; undefined if it is another artifact. */
export function pictureIn(artifact: string): object | undefined {
  if (!artifact.startsWith(PREFIX)) return undefined;
  const spec: unknown = JSON.parse(decodeURIComponent(artifact.slice(PREFIX.length)));
  return typeof spec === "object" && spec !== null ? spec : undefined;
}
