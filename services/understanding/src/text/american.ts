/** How a word is spelt in America: "harbor" for "harbour", "center" for "centre". "Four" and "hour" are the same everywhere. */
export const americanOf = (word: string): string =>
  word.replace(/(?<=[a-z]{3})our(?=s?$)/, "or").replace(/(?<=[a-z]{2}t)re(?=s?$)/, "er");
