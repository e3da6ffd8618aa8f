/** A drawing that fits a light page and a dark one. */
export function svg(width: number, height: number, title: string, shapes: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 14px }
  .faint { fill: #57606a; font-size: 11px }
  .end { text-anchor: end }
  .middle { text-anchor: middle }
  .line { stroke: #d0d7de; stroke-width: 1 }
  .mark { stroke: #24292f; stroke-width: 1.5 }
  .good { fill: #1a7f37 } .fair { fill: #2f81c4 } .bad { fill: #cf222e } .other { fill: #8c959f }
  .curve { fill: none; stroke: #2f81c4; stroke-width: 1.5 } .curve.second { stroke: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .faint { fill: #9198a1 } .line { stroke: #3d444d } .mark { stroke: #e6edf3 }
    .good { fill: #3fb950 } .fair { fill: #58a6ff } .bad { fill: #f85149 } .other { fill: #6e7681 }
  }
</style>
<text class="title" x="0" y="16">${escaped(title)}</text>
${shapes.join("\n")}
</svg>
`;
}

export function text(x: number, y: number, words: string, classes = ""): string {
  return `<text class="${classes}" x="${at(x)}" y="${at(y)}">${escaped(words)}</text>`;
}

export function bar(x: number, y: number, width: number, height: number, classes: string): string {
  return `<rect class="${classes}" x="${at(x)}" y="${at(y)}" width="${at(Math.max(width, 1))}" height="${height}"/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return `<line class="${classes}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;
}

export function curve(points: readonly (readonly [x: number, y: number])[], classes: string): string {
  return `<polyline class="curve ${classes}" points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(" ")}"/>`;
}

export type Scale = (value: number) => number;

/** Each step as wide as the one before: for figures that lie orders of magnitude apart. */
export function logScale(from: number, to: number, left: number, right: number): Scale {
  const width = (right - left) / Math.log(to / from);
  return (value) => left + Math.log(Math.min(Math.max(value, from), to) / from) * width;
}

export function linearScale(from: number, to: number, left: number, right: number): Scale {
  return (value) => left + ((value - from) / (to - from || 1)) * (right - left);
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
