import { describe, expect, test } from "@jest/globals";
import { OrderError, readOrder } from "./order.ts";

const taken = {
  names: new Set(["policy", "gateway", "conformance"]),
  tasks: new Set(["policy_check", "policy_turn"]),
  ports: new Set([8080, 8081, 8082, 8085]),
};

test("a name is enough: the task is called after it, and the next port that is free is taken", () => {
  expect(readOrder(["word-count"], taken)).toEqual({
    name: "word-count",
    language: "typescript",
    dialogue: false,
    taskType: "WORD_COUNT",
    port: 8083,
  });
});

test("a dialogue has a task of its own", () => {
  const args = ["booking", "--dialogue", "--language", "python", "--port", "9000"];
  expect(readOrder(args, taken)).toMatchObject({
    dialogue: true,
    language: "python",
    taskType: "BOOKING_TURN",
    port: 9000,
  });
  expect(readOrder(["booking", "--dialogue", "--task", "TABLE_TURN"], taken).taskType).toBe("TABLE_TURN");
});

describe("refuses", () => {
  test.each([
    ["no name", [], "Name one agent."],
    ["two names", ["one", "two"], "Name one agent."],
    ["upper case", ["Words"], "A name has lower-case letters"],
    ["a folder", ["../words"], "A name has lower-case letters"],
    ["a name that ends with a hyphen", ["words-"], "A name has lower-case letters"],
    ["one letter", ["w"], "A name has lower-case letters"],
    ["a name that is too long", ["w".repeat(33)], "A name has lower-case letters"],
    ["a name that YAML reads as something else", ["true"], "The name true is reserved"],
    ["a name whose variable has a meaning", ["redis"], "The name redis is reserved"],
    ["a name that is taken", ["policy"], "There is something of the name policy already"],
    [
      "a task that is taken, in any case",
      ["check", "--task", "POLICY_CHECK"],
      "Another agent has the task POLICY_CHECK",
    ],
    ["a task in lower case", ["words", "--task", "count"], "A task type has upper-case letters"],
    ["a dialogue whose task is no turn", ["words", "--dialogue", "--task", "COUNT"], "ends in _TURN"],
    [
      "a language that it does not know",
      ["words", "--language", "rust"],
      "--language is typescript or python",
    ],
    ["a port that is taken", ["words", "--port", "8085"], "Port 8085 belongs to another service"],
    ["a port that is none", ["words", "--port", "80x"], "--port is a number"],
    ["an option that it does not know", ["words", "--model"], "Unknown option '--model'"],
  ])("%s", (_what, args, message) => {
    expect(() => readOrder(args, taken)).toThrow(OrderError);
    expect(() => readOrder(args, taken)).toThrow(message);
  });

  test("all that is wrong at once", () => {
    const args = ["policy", "--language", "rust", "--port", "1"];
    expect(() => readOrder(args, taken)).toThrow(/already.*\n.*--language.*\n.*--port/);
  });
});
