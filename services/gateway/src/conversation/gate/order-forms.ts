/** The words of an order as patterns. */
export type OrderForms = {
  verb: string;
  gerund: string;
  participle: string;
  /** The verb in any of its forms. */
  any: string;
  /** A clause that says not to do it. */
  denied: RegExp;
};

/** Words between the parts of "roll … out". */
const MOST_BETWEEN = 8;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @param orders as the manifest has them: "publish", "go live", "put … live" */
export function formsOf(orders: readonly string[]): OrderForms {
  const parts = orders.map((order) => {
    const [first = "", ...others] = order.toLowerCase().split(/\s+/);
    const rest = others
      .map((word) =>
        word === "…" || word === "..." ? `(?:\\s+\\S+){1,${MOST_BETWEEN}}?` : `\\s+${escaped(word)}`,
      )
      .join("");
    return { first, rest };
  });
  const all = (inflected: (first: string) => string): string =>
    `(?:${parts.map(({ first, rest }) => inflected(first) + rest).join("|")})`;
  const any = all((first) => `${escaped(first.replace(/e$/, ""))}\\p{Ll}*`);
  return {
    verb: all(escaped),
    gerund: all((first) => `${escaped(first.replace(/e$/, ""))}(?:${escaped(first.at(-1) ?? "")})?ing`),
    participle: all((first) => `${escaped(first.replace(/e$/, ""))}(?:${escaped(first.at(-1) ?? "")})?ed`),
    any,
    denied: new RegExp(
      `(?<!\\bwhy (?:do|should)?)(?:n't|\\b(?:not(?! (?:only|just))|never|cannot|without|stop|cancel|avoid|refuse|instead of|rather than))\\s(?:\\S+\\s){0,5}?${any}(?!\\p{L})`,
      "u",
    ),
  };
}
