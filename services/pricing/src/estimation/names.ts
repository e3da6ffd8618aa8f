/** What column names say, in the languages that files come in. */

const words = (text: string) => text.split(" ");

export const UNITS: ReadonlySet<string> = new Set(
  words(
    "store shop outlet branch site location market customer account household panel dealer warehouse channel city region country filiale laden kunde magasin client tienda negozio loja 매장 점포 지점 고객 지역 채널",
  ),
);
export const PRODUCTS: ReadonlySet<string> = new Set(
  words(
    "brand product sku part item upc ean article variant model tier artikel produkt marke produit producto 상품 제품 품목 브랜드 품번",
  ),
);
export type Step = "day" | "week" | "month" | "quarter" | "year";

/** What a time column counts; `undefined` if its name does not say. */
export const TIMES: ReadonlyMap<string, Step | undefined> = new Map<string, Step | undefined>([
  ...words("date day datum tag fecha data jour dia 날짜 일자 일").map((word) => [word, "day"] as const),
  ...words("week wk isoweek kw woche semaine semana settimana 주 주차").map(
    (word) => [word, "week"] as const,
  ),
  ...words("month monat mois mes mese yearmonth 월 년월").map((word) => [word, "month"] as const),
  ...words("quarter quartal trimestre 분기").map((word) => [word, "quarter"] as const),
  ...words("period time timestamp datetime periode zeit 기간 시점").map((word) => [word, undefined] as const),
]);
export const YEARS: ReadonlySet<string> = new Set(words("year yr jahr annee ano anno 연도 년도 년"));
const SUFFIXES: ReadonlySet<string> = new Set(
  words("id no nr num number name code key start end ending index of iso"),
);

/** The words of a column name such as store_id or StoreNumber, without those that only say that it is an identifier. */
export function namedWords(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "" && !SUFFIXES.has(word));
}

/** The step that a time column's name says. */
export function stepNamed(name: string): Step | undefined {
  const known = namedWords(name);
  return (
    known.map((word) => TIMES.get(word)).find((step) => step !== undefined) ??
    (known.some((word) => YEARS.has(word)) ? "year" : undefined)
  );
}
