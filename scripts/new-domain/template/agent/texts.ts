const TEXTS = {
  en: {
    counted: (total: number, items: string) => `${total} in stock: ${items}.`,
    notApplied: (slots: string) => `Not applied: ${slots}.`,
  },
  ko: {
    counted: (total: number, items: string) => `재고 ${total}개: ${items}.`,
    notApplied: (slots: string) => `적용하지 않은 조건: ${slots}.`,
  },
} as const;

/** What an answer says. @param language as in BCP 47; absent, or another one than there is: English */
export function textsIn(language = "en"): (typeof TEXTS)[keyof typeof TEXTS] {
  return /^ko\b/i.test(language) ? TEXTS.ko : TEXTS.en;
}
