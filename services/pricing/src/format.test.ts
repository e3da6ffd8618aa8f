import { describe, expect, test } from "@jest/globals";
import { aboutCatalogue } from "./catalogue.ts";
import { formatFor } from "./format.ts";

describe("numbers in sentences", () => {
  test("without a currency have two decimals, thousands apart, and a true minus sign", () => {
    const format = formatFor();
    expect(format.price(1480)).toBe("1,480.00");
    expect(format.price(0.1 + 0.2)).toBe("0.30");
    expect(format.price(1.2345)).toBe("1.2345");
    expect(format.signedMoney(-6472.814)).toBe("−6,472.81");
    expect(format.money(0.01234)).toBe("0.0123");
    expect(format.share(0.03)).toBe("3%");
    expect(format.signedShare(-0.12345)).toBe("−12.3%");
    expect(format.list(["a", "b", "c"])).toBe("a, b and c");
  });

  test("follow the currency, with its decimals, and the locale", () => {
    expect(formatFor({ currency: "USD" }).price(1480)).toBe("$1,480.00");
    expect(formatFor({ currency: "JPY" }).money(1480.4)).toBe("¥1,480");
    expect(formatFor({ currency: "EUR", locale: "de-DE" }).price(1480)).toMatch(/^1\.480,00\s€$/u);
    expect(formatFor({ locale: "de-DE" }).share(0.125)).toMatch(/^12,5\s%$/u);
  });

  test("are not printed in a locale that nobody knows", () => {
    for (const locale of ["en-US-US", "zz"])
      expect(() => formatFor({ locale })).toThrow(expect.objectContaining({ code: "UNKNOWN_LOCALE" }));
  });
});

test("an answer names its catalogue and size, its summary the sample as such and what is missing", () => {
  const answer = { summary: "Prices rise." };
  const items = Array.from({ length: 1200 }, () => ({}));
  expect(aboutCatalogue(answer, { catalogue: "Spare parts", items }, false)).toEqual({
    summary: "Prices rise.",
    finding: "Prices rise.",
    catalogue: { name: "Spare parts", items: 1200, sample: false },
  });
  const failures = [{ item_id: "A", code: "NO_OPTIMUM", message: "Revenue has no maximum." }];
  const notes = "1 item could not be worked on:\n- A: Revenue has no maximum.";
  expect(aboutCatalogue({ ...answer, failures }, { items }, false)).toMatchObject({
    finding: "Prices rise.",
    notes,
    summary: `Prices rise.\n${notes}`,
  });
  expect(aboutCatalogue(answer, { items }, true).summary).toMatch(/^This is the sample .*not your data\.\n/);
  expect(aboutCatalogue(answer, { items, language: "ko" }, true).summary).toMatch(
    /^고객님의 데이터가 아니라/,
  );
});
