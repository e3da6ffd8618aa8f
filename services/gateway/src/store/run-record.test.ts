import { expect, test } from "@jest/globals";
import { RECORD, toRecord } from "./run-record.ts";

const stored = (order: object) =>
  toRecord(
    "run",
    RECORD.map((field) => (field === "order" ? JSON.stringify({ subject: "ann", ...order }) : "1")),
  );

test("an order from before orders had constraints says what its slots said", () => {
  const slots = { flow: "pricing", values: { items: ["A", "B"], max_change_pct: 0.05, price_move: -0.1 } };
  const order = stored({ slots })?.order;
  expect(order?.constraints).toEqual({
    flow: "pricing",
    said: [
      { slot: "items", op: "only", value: ["A", "B"] },
      { slot: "max_change_pct", op: "set", value: 0.05 },
      { slot: "price_move", op: "set", value: -0.1 },
    ],
  });
  expect(order).not.toHaveProperty("slots");
});

test("the constraints of an order are as they were stored", () => {
  const constraints = { flow: "pricing", said: [{ slot: "period", op: "set", value: "Q1" }] };
  expect(stored({ constraints })?.order.constraints).toEqual(constraints);
  expect(stored({})?.order.constraints).toBeUndefined();
});
