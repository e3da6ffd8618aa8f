import { expect, test } from "@jest/globals";
import { predict } from "./intents.ts";

const intent = { category: "policy", goals: ["policy"], probabilities: { policy: 1 } };

test.each([
  [0.7, "policy"],
  [0.69, "clarify"],
])("with a confidence of %d a message is routed to %s", (confidence, route) => {
  const prediction = predict(() => ({ ...intent, confidence }), "check the rules");
  expect(prediction).toEqual({ label: "policy", route, goals: ["policy"], confidence });
});
