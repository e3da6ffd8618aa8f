/**
 * What words say of an amount near them. Bits of their own, beside those of generic words: a word with a role alone is no reason to
 * look for no name in it.
 */
export const ROLES = {
  /** Up, right beside an amount: "add 8 %", "3 % on top". */
  adds: 1 << 0,
  /** Who pays a price: "cheaper for our buyers" is said of it, and of no group of customers. */
  pays: 1 << 1,
} as const;

export type Role = keyof typeof ROLES;

const list = (text: string): string[] => text.split("|");

export const AMOUNT_WORDS: readonly (readonly [Role, readonly string[]])[] = [
  [
    "adds",
    list(
      "add|adds|adding|added|pass on|passing on|hand on|put on|tack|tack on|slap|slap on|on top|on top of|onto|to the top of|" +
        "surcharge of|더하|더하면|더해|더 달라|더 달라고|더 요구|더 요구하|더 부르|얹|얹어|얹으면|더 받|더 받으면|더 받아|더 받을",
    ),
  ],
  [
    "pays",
    list(
      "buyer|buyers|customer|customers|client|clients|user|users|shopper|shoppers|people|고객|고객들|구매자",
    ),
  ],
];
