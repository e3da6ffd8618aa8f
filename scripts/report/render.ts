import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** Draws a Vega-Lite specification as SVG, without a browser. */
export async function svgOf(spec: object): Promise<string> {
  // The agents' specifications are plain data; the compiler reports what it does not know as an error.
  const { spec: vega } = compile(spec as TopLevelSpec);
  const view = new View(parse(vega), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
