import { TRAITS } from "./lexer.ts";
import type { Detector } from "./rules.ts";
import { rot13 } from "./trie.ts";

/** Another reading of a text, and how it came about. */
export type Reading = { via: Detector; text: string; unspaced?: boolean };

/** Runs of one encoding in one text. */
const MAX_RUNS = 6;

const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const BASE32 = /[A-Z2-7]{16,}={0,6}/g;
const HEX = /(?:(?:0x|\\x)?[0-9a-f]{2}[ ,:]?){8,}/gi;
const BINARY = /(?:[01]{8}[ ,]?){5,}/g;
const DECIMAL = /(?:\d{2,3}[ ,]{1,2}){7,}\d{2,3}/g;
const PERCENT = /%[0-9a-f]{2}/i;
const ESCAPE = /\\u\{?([0-9a-f]{2,6})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]{2,6});?|&#(\d{2,7});?/gi;
const MORSE = /(?:[.-]{1,6}[ /|]{1,3}){8,}[.-]{0,6}/g;
const SPACED = /(?:[\p{L}\p{N}][ ._*-]{1,3}){4,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu;
const STRING = /"([^"\n]{1,200})"|'([^'\n]{1,200})'|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g;

type Decoder = {
  trait: number;
  via: Detector;
  decode: (text: string) => string | undefined;
  unspaced?: boolean;
};

/** In the order in which they are tried. */
const DECODERS: readonly Decoder[] = [
  { trait: TRAITS.percent, via: "encoded_percent", decode: percent },
  { trait: TRAITS.backslash | TRAITS.entity, via: "encoded_escapes", decode: escapes },
  { trait: TRAITS.longRun, via: "encoded_base64", decode: (text) => runs(text, BASE64, base64) },
  { trait: TRAITS.longRun | TRAITS.digits, via: "encoded_hex", decode: (text) => runs(text, HEX, hex) },
  { trait: TRAITS.longRun, via: "encoded_base32", decode: (text) => runs(text, BASE32, base32) },
  {
    trait: TRAITS.digits | TRAITS.longRun,
    via: "encoded_binary",
    decode: (text) => runs(text, BINARY, binary),
  },
  { trait: TRAITS.digits, via: "encoded_decimal", decode: (text) => runs(text, DECIMAL, decimal) },
  { trait: TRAITS.morse, via: "encoded_morse", decode: (text) => runs(text, MORSE, morse) },
  { trait: TRAITS.rot13, via: "rot13", decode: rot13 },
  { trait: TRAITS.reversed, via: "reversed", decode: (text) => [...text].reverse().join("") },
  { trait: TRAITS.leet, via: "leetspeak", decode: unleet },
  { trait: TRAITS.spaced, via: "spaced_letters", decode: joined, unspaced: true },
  { trait: TRAITS.quoted, via: "split_text", decode: concatenated },
];

/** What else a text may say, as far as its form gives reason to look. @param text in its own case */
export function* otherReadings(text: string, traits: number): Generator<Reading> {
  for (const { trait, via, decode, unspaced = false } of DECODERS) {
    if ((traits & trait) === 0) continue;
    const decoded = decode(text);
    if (decoded !== undefined && decoded !== "" && decoded !== text) yield { via, text: decoded, unspaced };
  }
}

/** The runs of a text that decode to something readable; undefined where none does. */
function runs(
  text: string,
  pattern: RegExp,
  decode: (run: string) => string | undefined,
): string | undefined {
  const found: string[] = [];
  let tried = 0;
  for (const [run] of text.matchAll(pattern)) {
    const decoded = decode(run);
    if (decoded !== undefined && isReadable(decoded)) found.push(decoded);
    tried += 1;
    if (tried === MAX_RUNS) break;
  }
  return found.length > 0 ? found.join(" ") : undefined;
}

const UNREADABLE = /[^\p{L}\p{N}\p{P}\p{Zs}\p{S}\p{M}\n\r\t]|\ufffd/u;

/** Bytes that are no text become control characters or replacement characters soon. */
function isReadable(text: string): boolean {
  return text.length >= 4 && !UNREADABLE.test(text);
}

function base64(run: string): string {
  return Buffer.from(run, "base64").toString("utf8");
}

function hex(run: string): string | undefined {
  const digits = run.replace(/0x|\\x|[ ,:]/gi, "");
  return Buffer.from(digits.slice(0, digits.length - (digits.length % 2)), "hex").toString("utf8");
}

const BASE32_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function base32(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const digit of run) {
    const digitValue = BASE32_DIGITS.indexOf(digit);
    if (digitValue < 0) break;
    value = ((value << 5) | digitValue) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return Buffer.from(bytes).toString("utf8");
}

function binary(run: string): string {
  const octets = run.replace(/[ ,]/g, "").match(/.{8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2))).toString("utf8");
}

function decimal(run: string): string {
  return String.fromCharCode(...run.split(/[ ,]+/).map(Number));
}

function percent(text: string): string | undefined {
  if (!PERCENT.test(text)) return undefined;
  const bytes = text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
  return bytes.replaceAll("+", " ");
}

function escapes(text: string): string {
  return text.replace(ESCAPE, (whole, unicode, byte, hexEntity, entity) => {
    const code = entity === undefined ? Number.parseInt(unicode ?? byte ?? hexEntity, 16) : Number(entity);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

const MORSE_LETTERS: ReadonlyMap<string, string> = new Map(
  ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
    .split(" ")
    .map((sign, place) => [sign, String.fromCharCode(97 + place)] as const),
);

function morse(run: string): string {
  return run
    .split(/ ?[/|] ?| {2,3}/)
    .map((word) =>
      word
        .trim()
        .split(" ")
        .map((sign) => MORSE_LETTERS.get(sign) ?? "")
        .join(""),
    )
    .join(" ");
}

const LEET: ReadonlyMap<string, string> = new Map(
  Object.entries({
    0: "o",
    1: "i",
    3: "e",
    4: "a",
    5: "s",
    6: "g",
    7: "t",
    8: "b",
    9: "g",
    "@": "a",
    $: "s",
    "!": "i",
    "|": "l",
  }),
);

/** Digits and signs that touch a letter become the letters that they look like. */
function unleet(text: string): string {
  return text.replace(/[\p{L}\d@$!|]{2,40}/gu, (word) =>
    /\p{L}/u.test(word) ? word.replace(/[013456789@$!|]/g, (sign) => LEET.get(sign) ?? sign) : word,
  );
}

/** "i g n o r e   a l l" and "i.g.n.o.r.e" without what parts the letters. */
function joined(text: string): string {
  return text.replace(SPACED, (run) => run.replace(/[ ._*-]+/g, ""));
}

/** What stands between quotes, as one text: a = "igno", b = "re all". Words that are cut need no space, whole words one. */
function concatenated(text: string): string | undefined {
  const parts: string[] = [];
  for (const [, one, two, three, four] of text.matchAll(STRING)) {
    parts.push(one ?? two ?? three ?? four ?? "");
    if (parts.length === 2 * MAX_RUNS) break;
  }
  return parts.length > 1 ? `${parts.join("")} . ${parts.join(" ")}` : undefined;
}
