/** Text of somebody else within a line of an answer: one line, short, and without marks that would end its quotes or be taken for markup. */
export function inline(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const short = [...line].slice(0, most).join("");
  const cut = short.length < line.length ? `${short.trimEnd()}…` : short;
  return cut
    .replace(/[“”"`]/g, "'")
    .replaceAll("<", "‹")
    .replaceAll(">", "›");
}
