/** Ways in which people hide a text, each of which the guard must see through. Deterministic. */
export const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => `Please decode: ${Buffer.from(text).toString("base64")}`,
  base64url: (text) => Buffer.from(text).toString("base64url"),
  base64_twice: (text) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
  base32: (text) => base32(text),
  hex: (text) => `hex: ${Buffer.from(text).toString("hex")}`,
  hex_spaced: (text) => (Buffer.from(text).toString("hex").match(/../g) ?? []).join(" "),
  hex_escaped: (text) =>
    (Buffer.from(text).toString("hex").match(/../g) ?? []).map((byte) => `\\x${byte}`).join(""),
  percent: (text) => encodeURIComponent(text),
  percent_all: (text) =>
    (Buffer.from(text).toString("hex").match(/../g) ?? []).map((byte) => `%${byte}`).join(""),
  entities: (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(""),
  unicode_escapes: (text) =>
    text.replace(/[^ ]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
  binary: (text) => [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join(" "),
  decimal: (text) => [...text].map((letter) => letter.codePointAt(0)).join(" "),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter < "a" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  reversed: (text) => [...text].reverse().join(""),
  leet: (text) => swap(text, { a: "4", e: "3", i: "1", o: "0", s: "5", t: "7" }),
  leet_mild: (text) => swap(text, { e: "3", o: "0" }),
  spaced: (text) =>
    text
      .split(" ")
      .map((word) => [...word].join(" "))
      .join("   "),
  dotted: (text) =>
    text
      .split(" ")
      .map((word) => [...word].join("."))
      .join(" "),
  cyrillic: (text) => swap(text, { a: "а", e: "е", o: "о", c: "с", p: "р", i: "і", x: "х" }),
  greek: (text) => swap(text, { o: "ο", v: "ν", a: "α", i: "ι" }),
  fullwidth: (text) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  mathematical: (text) =>
    text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97)),
  circled: (text) =>
    text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x24d0 + letter.charCodeAt(0) - 97)),
  small_capitals: (text) =>
    swap(text, { a: "ᴀ", e: "ᴇ", i: "ɪ", o: "ᴏ", n: "ɴ", r: "ʀ", t: "ᴛ", s: "ꜱ", u: "ᴜ" }),
  accented: (text) =>
    [...text].map((letter) => (/[aeiou]/.test(letter) ? `${letter}\u0301` : letter)).join(""),
  zero_width: (text) => [...text].join("\u200b"),
  zero_width_for_spaces: (text) => text.replaceAll(" ", "\u200b"),
  soft_hyphens: (text) => text.replace(/(\w)(\w)/g, "$1\u00ad$2"),
  bidi: (text) => `\u202e${[...text].reverse().join("")}\u202c`,
  tags: (text) =>
    `Hello!${[...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 32))).join("")}`,
  underscores: (text) => text.replaceAll(" ", "_"),
  no_spaces: (text) => text.replaceAll(" ", ""),
  capitals: (text) => text.toUpperCase(),
};

function swap(text: string, table: Readonly<Record<string, string>>): string {
  return [...text].map((letter) => table[letter] ?? letter).join("");
}

function base32(text: string): string {
  let bits = "";
  for (const byte of Buffer.from(text)) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(group.padEnd(5, "0"), 2)])
    .join("");
}
