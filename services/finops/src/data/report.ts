/** What a data set's files say that they should not. An error keeps the data from being loaded, a warning is told beside answers. */
export type Finding = {
  readonly level: "error" | "warning";
  readonly file: string;
  readonly column?: string;
  /** How many rows; absent: the file as a whole. */
  readonly rows?: number;
  readonly text: string;
};

const MOST_LINES = 20;

/** The findings in at most 20 lines, errors first: "bill.csv, BilledCost, 12 rows: not a number". */
export function reportOf(findings: readonly Finding[]): string[] {
  const sorted = findings.toSorted(
    (one, other) => rank(one) - rank(other) || (other.rows ?? 0) - (one.rows ?? 0),
  );
  const lines = sorted.map(({ file, column, rows, text }) => {
    const counted = rows === undefined ? [] : [`${rows} ${rows === 1 ? "row" : "rows"}`];
    return `${[file, ...(column === undefined ? [] : [column]), ...counted].join(", ")}: ${text}`;
  });
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES - 1), `and ${lines.length - MOST_LINES + 1} more findings`];
}

function rank({ level }: Finding): number {
  return level === "error" ? 0 : 1;
}
