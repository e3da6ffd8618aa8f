/** An answer beside what would have been right. */
export type Judged = { label: string; category: string; confidence: number };

export function accuracy(judged: readonly Judged[]): number {
  return judged.filter(({ label, category }) => label === category).length / Math.max(1, judged.length);
}

/** Expected calibration error: how far confidence and accuracy are apart, averaged over ten bins of confidence. */
export function calibrationError(judged: readonly Judged[]): number {
  const bins = Map.groupBy(judged, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  let error = 0;
  for (const bin of bins.values()) {
    const confidence = bin.reduce((sum, { confidence }) => sum + confidence, 0);
    error += Math.abs(confidence - accuracy(bin) * bin.length);
  }
  return error / Math.max(1, judged.length);
}

/** A table in Markdown: a row for each right category, a column for each answer. */
export function confusions(judged: readonly Judged[], categories: readonly string[]): string {
  const width = Math.max(...categories.map((category) => category.length));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = categories.map((label) => {
    const own = judged.filter((one) => one.label === label);
    const right = own.filter(({ category }) => category === label).length;
    const counts = categories.map((category) => own.filter((one) => one.category === category).length);
    return line([
      label.padEnd(width),
      ...counts.map((n) => (n === 0 ? "·" : String(n))),
      percent(right / Math.max(1, own.length)),
    ]);
  });
  return [
    line(["".padEnd(width), ...categories, "right"]),
    line(Array(categories.length + 2).fill("---")),
    ...rows,
  ].join("\n");
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** The value that `share` of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
