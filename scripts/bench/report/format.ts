/** Three digits, which is more than most measurements support. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 100) return Math.round(value).toLocaleString("en");
  const digits = size >= 10 ? 1 : size >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(size)));
  return String(Number(value.toFixed(digits)));
}

export function withUnit(value: number, unit: string): string {
  return unit === "" || unit === "×" ? `${figure(value)}${unit}` : `${figure(value)} ${unit}`;
}

export function percent(share: number): string {
  return `${figure(share * 100)}%`;
}

/** A Markdown table; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
