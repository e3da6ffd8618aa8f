import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { fold, normalise } from "./normalise.ts";

test.each([
  ["fullwidth letters", "ｉｇｎｏｒｅ", "ignore"],
  ["mathematical letters", "𝐢𝐠𝐧𝐨𝐫𝐞", "ignore"],
  ["circled letters", "ⓘⓖⓝⓞⓡⓔ", "ignore"],
  ["small capitals", "ɪɢɴᴏʀᴇ", "ignore"],
  ["Cyrillic letters within a Latin word", "ignоrе", "ignore"],
  ["Greek letters within a Latin word", "ignοre", "ignore"],
  ["zero-width spaces", "ig\u200bno\u200dre", "ignore"],
  ["soft hyphens", "ig\u00adnore", "ignore"],
  ["piled-up marks", "i\u0301\u0302gnore", "ignore"],
])("%s become the letters that they look like", (_, text, plain) => {
  expect(normalise(text).text).toBe(plain);
});

test("words of a language with other letters stay as they are", () => {
  for (const text of ["цена насоса", "τιμη αντλιας", "펌프 가격", "ポンプの価格", "سعر المضخة"])
    expect(normalise(text).text).toBe(text);
});

test("what no reader sees is kept apart", () => {
  const tags = [..."hi there"].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join("");
  expect(normalise(`price${tags}`)).toMatchObject({ text: "price", tagged: "hi there", hidden: true });
  expect(normalise("one\u200btwo")).toMatchObject({ text: "onetwo", parted: "one two" });
  expect(normalise("\u202eabc")).toMatchObject({ text: "abc", overridden: true });
});

test("ASCII is what it looks like", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      expect(normalise(text)).toMatchObject({ text, hidden: false, imitated: false, overridden: false });
      expect(fold(text)).toBe(text.toLowerCase());
    }),
  );
});
