import type { Params } from "../data/sql.ts";
import { FinopsError } from "../errors.ts";
import { dimensionOf } from "./dimensions.ts";
import type { Filter } from "./types.ts";

/** True of the charges that all filters let through. Values are bound; whatever they hold is a value. */
export function filtersIn(filters: readonly Filter[], params: Params): string[] {
  return filters.map((filter) => filterIn(filter, params));
}

/** Which charges the caller may see at all: by fields of `rows` in his signed context. */
export type RowFilters = Readonly<Record<string, unknown>>;

/** The fields that `rows` may have beside `tag_KEY`. */
const ROW_FIELDS: Readonly<Record<string, string>> = {
  account: "account",
  sub_account: "account",
  provider: "provider",
  service: "service",
  region: "region",
};

/**
 * The caller's row filters as filters of a query. `*` as a value lets everything through.
 * @throws FinopsError UNKNOWN_ROW_FILTER for a field that the data have nothing of: what cannot be held to is refused
 */
export function callersFilters(rows: RowFilters | undefined): Filter[] {
  return Object.entries(rows ?? {}).flatMap(([field, values]): Filter[] => {
    const [, tag] = /^tag_(.+)$/s.exec(field) ?? [];
    const known = Object.hasOwn(ROW_FIELDS, field) ? ROW_FIELDS[field] : undefined;
    const dimension = tag === undefined ? known : `tag:${tag}`;
    if (
      dimension === undefined ||
      !Array.isArray(values) ||
      !values.every((value) => typeof value === "string")
    )
      throw new FinopsError(
        "UNKNOWN_ROW_FILTER",
        "The caller may see rows by a field that billing data do not have.",
      );
    return values.includes("*") ? [] : [{ field: dimension, op: "only", values, exactly: true }];
  });
}

function filterIn({ field, op, values, exactly = false }: Filter, params: Params): string {
  const dimension = dimensionOf(field);
  const named = values.filter((value) => value !== null);
  const expression = () =>
    dimension.isTime ? `CAST(${dimension.expression(params)} AS VARCHAR)` : dimension.expression(params);
  const among = (own: string) =>
    exactly
      ? `${own} IN (${named.map((value) => params.add(value)).join(", ")})`
      : `lower(${own}) IN (${named.map((value) => `lower(${params.add(value)})`).join(", ")})`;
  const either = [
    ...(named.length > 0 ? [among(expression())] : []),
    // A row filter goes by ids: a name is no identity.
    ...(named.length > 0 && dimension.alsoNamed !== undefined && !exactly
      ? [among(dimension.alsoNamed)]
      : []),
    ...(values.includes(null) ? [`${expression()} IS NULL`] : []),
    "false",
  ];
  const matches = `coalesce(${either.join(" OR ")}, false)`;
  return op === "only" ? matches : `NOT ${matches}`;
}
