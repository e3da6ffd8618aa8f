import { expect, test } from "@jest/globals";
import { describedRoutes, ROWS } from "./matrix.ts";

test("every route of the API's description has its row in the security suite", () => {
  expect(ROWS.map(({ route }) => route).toSorted()).toEqual(describedRoutes().toSorted());
});
