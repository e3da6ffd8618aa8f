/** One answer as the page shows it. */
export type Section = {
  readonly title: string;
  /** Plain text; lines that start with `- ` are a list. */
  readonly text: string;
  readonly tables: readonly Table[];
  /** SVG. */
  readonly pictures: readonly string[];
  readonly warnings: readonly string[];
};

export type Table = {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of text; the others are numbers, aligned to the right. */
  readonly textColumns: number;
};

const STYLE = `
body { font: 16px/1.5 "DejaVu Sans", system-ui, sans-serif; color: #1f2937; margin: 0 auto; max-width: 60rem; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; border-top: 1px solid #d1d5db; padding-top: 1.2rem; margin-top: 2rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { border-bottom: 1px solid #e5e7eb; padding: .3rem .5rem; text-align: right; font-variant-numeric: tabular-nums; vertical-align: top; }
th { background: #f3f4f6; } .text { text-align: left; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
.warnings { background: #fef7e6; border-left: 4px solid #d09a1c; padding: .5rem 1rem; font-size: .9rem; }
footer { color: #6b7280; font-size: .85rem; margin-top: 2rem; }
@media print { body { max-width: none; } figure, tr { break-inside: avoid; } }
`;

/** One self-contained page: no script, nothing from the network. */
export function pageOf(title: string, made: string, sections: readonly Section[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${sections.map(sectionOf).join("\n")}
<footer>${escaped(made)}</footer>
</body>
</html>
`;
}

function sectionOf({ title, text, tables, pictures, warnings }: Section): string {
  return `<section>
<h2>${escaped(title)}</h2>
${textOf(text)}
${warningsOf(warnings)}
${pictures.map((svg) => `<figure>${svg}</figure>`).join("\n")}
${tables.map(tableOf).join("\n")}
</section>`;
}

function textOf(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const items = lines.filter((line) => line.startsWith("- "));
  const paragraphs = lines.filter((line) => !line.startsWith("- ")).map((line) => `<p>${escaped(line)}</p>`);
  const list = items.map((line) => `<li>${escaped(line.slice(2))}</li>`).join("");
  return `${paragraphs.join("\n")}${list === "" ? "" : `\n<ul>${list}</ul>`}`;
}

function warningsOf(warnings: readonly string[]): string {
  if (warnings.length === 0) return "";
  return `<div class="warnings"><strong>Warnings</strong><ul>${warnings.map((one) => `<li>${escaped(one)}</li>`).join("")}</ul></div>`;
}

function tableOf({ caption, head, rows, textColumns }: Table): string {
  if (rows.length === 0) return "";
  const cell = (tag: string) => (value: string, i: number) =>
    `<${tag}${i < textColumns ? ' class="text"' : ""}>${escaped(value)}</${tag}>`;
  return `<div class="scroll"><table><caption>${escaped(caption)}</caption><thead><tr>${head.map(cell("th")).join("")}</tr></thead><tbody>
${rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("\n")}
</tbody></table></div>`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
