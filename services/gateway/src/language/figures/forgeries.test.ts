import { describe, expect, test } from "@jest/globals";
import { REPORTED_ON } from "../../../test/support/more-reports.ts";
import { FORGED, GIVEN, TRUE } from "../../../test/support/reports.ts";
import { numbersStand } from "./stands.ts";

describe("reports of real results", () => {
  test("at most two of a hundred true ones are thrown away", () => {
    expect(new Set(TRUE).size).toBeGreaterThan(90);
    expect(TRUE.filter((text) => !numbersStand(text, GIVEN)).length).toBeLessThanOrEqual(2);
  });

  test("none of a hundred forged ones passes", () => {
    expect(FORGED).toHaveLength(100);
    expect(FORGED.filter(({ text = "" }) => numbersStand(text, GIVEN))).toEqual([]);
  });
});

describe.each(REPORTED_ON)("sentences on $name", ({ given, true: told, forged }) => {
  test("true ones stand", () => {
    expect(told.filter((text) => !numbersStand(text, given))).toEqual([]);
  });

  test("forged ones do not", () => {
    expect(forged.filter((text) => numbersStand(text, given))).toEqual([]);
  });
});
