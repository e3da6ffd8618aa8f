/** Three digits, which is more than most measurements support; all of them before the decimal point. */
const FORMAT = new Intl.NumberFormat("en", {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 0,
  roundingPriority: "morePrecision",
});

export function figure(value: number): string {
  return FORMAT.format(value);
}

export function withUnit(value: number, unit: string): string {
  return `${figure(value)}${unit === "" || unit === "×" ? unit : ` ${unit}`}`;
}
