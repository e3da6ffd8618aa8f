import { expect, test } from "@jest/globals";
import { OneByOne } from "./one-by-one.ts";

test("one piece of work begins in each turn of the event loop, in the order in which it came", async () => {
  const oneByOne = new OneByOne();
  const happened: string[] = [];
  const work = ["first", "second", "third"].map((name) => oneByOne.turn().then(() => happened.push(name)));
  const turns = async () => {
    for (let turn = 1; turn <= 3; turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      happened.push(`turn ${turn}`);
    }
  };
  await Promise.all([...work, turns()]);
  expect(happened).toEqual(["first", "turn 1", "second", "turn 2", "third", "turn 3"]);
  const late = oneByOne.turn().then(() => happened.push("late"));
  await late;
  expect(happened.at(-1)).toBe("late");
});
