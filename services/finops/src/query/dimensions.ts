import type { Params } from "../data/sql.ts";
import { FinopsError } from "../errors.ts";

/** What charges are grouped and filtered by, and the closed table of its expressions: nobody's text is ever an identifier. */
const DIMENSIONS: Readonly<
  Record<string, { readonly is: string; readonly alsoNamed?: string; readonly time?: true }>
> = {
  provider: { is: "provider" },
  service: { is: "service" },
  category: { is: "category" },
  region: { is: "region" },
  account: { is: "account", alsoNamed: "account_name" },
  resource: { is: "resource", alsoNamed: "resource_name" },
  resource_type: { is: "resource_type" },
  sku: { is: "sku" },
  charge: { is: "charge" },
  pricing: { is: "pricing" },
  commitment: { is: "commitment" },
  currency: { is: "currency" },
  day: { is: "day", time: true },
  week: { is: "date_trunc('week', day)", time: true },
  month: { is: "date_trunc('month', day)", time: true },
  quarter: { is: "date_trunc('quarter', day)", time: true },
};

export const DIMENSION_NAMES = Object.keys(DIMENSIONS);
/** A tag's key is bound as a value, so that it may have any character. */
const TAG = /^tag:(.{1,128})$/su;

export const DIMENSION_PATTERN = `^(${DIMENSION_NAMES.join("|")}|tag:.{1,128})$`;

export type Dimension = {
  readonly name: string;
  /** Binds what it needs, and gives the expression. */
  expression(params: Params): string;
  /** Another name that a filter may use for the same. */
  readonly alsoNamed?: string;
  readonly isTime: boolean;
};

/** @throws FinopsError INVALID_QUERY */
export function dimensionOf(name: string): Dimension {
  const [, key] = TAG.exec(name) ?? [];
  if (key !== undefined)
    return { name, isTime: false, expression: (params) => `map_extract_value(tags, ${params.add(key)})` };
  const known = Object.hasOwn(DIMENSIONS, name) ? DIMENSIONS[name] : undefined;
  if (known === undefined)
    throw new FinopsError(
      "INVALID_QUERY",
      `Charges are grouped and filtered by ${DIMENSION_NAMES.join(", ")} or tag:KEY.`,
    );
  return {
    name,
    isTime: known.time ?? false,
    expression: () => (known.time ? `CAST(${known.is} AS DATE)` : known.is),
    ...(known.alsoNamed === undefined ? {} : { alsoNamed: known.alsoNamed }),
  };
}
