import { expect, test } from "@jest/globals";
import { normalCdf } from "./normal.ts";
import { studentTAt, studentTQuantile } from "./student-t.ts";

test.each([3, 4, 4.7, 5, 9, 30, 400])("draws with %d degrees of freedom have Student's quantiles", (df) => {
  for (let z = -4; z <= 4; z += 0.05) {
    const exact = studentTQuantile(normalCdf(z), df);
    const tolerance = (df < 5 ? 2e-3 : 1e-4) * Math.max(1, Math.abs(exact));
    expect(Math.abs(studentTAt(z, df) - exact)).toBeLessThan(tolerance);
  }
});

test.each([1, 2.5])("with %d, they are exact", (df) => {
  expect(studentTAt(1.3, df)).toBe(studentTQuantile(normalCdf(1.3), df));
});
