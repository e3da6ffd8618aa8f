export { digitsOf, moneyText } from "./currencies.ts";
export { type Decimal, inMinor, minorText } from "./decimal.ts";
export { amountsIn, type FoundAmount } from "./scan.ts";
