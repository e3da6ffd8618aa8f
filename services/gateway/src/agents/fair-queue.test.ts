import { describe, expect, test } from "@jest/globals";
import { FairQueue } from "./fair-queue.ts";

function filled(items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item[0] ?? "", item);
  return queue;
}

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe("a fair queue", () => {
  test("takes turns between keys, in the order in which they came", () => {
    const queue = filled(["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
    expect(queue.size).toBe(7);
    expect(drained(queue)).toEqual(["a1", "b1", "a2", "c1", "b2", "a3", "a4"]);
    expect(queue.size).toBe(0);
  });

  test("lets a key that comes now go before those that waited for more turns", () => {
    const queue = filled(["a1", "a2", "b1", "b2"]);
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(["a1", "b1", "a2"]);
    queue.push("c", "c1");
    expect(queue.shift()).toBe("c1");
  });

  test("does not let keys that keep coming starve those that wait", () => {
    const queue = filled(["a1", "a2", "a3"]);
    queue.shift();
    const order = [1, 2, 3, 4].map((round) => {
      queue.push(`new-${round}`, `new-${round}`);
      return queue.shift();
    });
    expect(order).toEqual(["new-1", "a2", "new-2", "a3"]);
  });

  test("forgets what was deleted", () => {
    const queue = filled(["a1", "a2", "b1"]);
    queue.delete("a", "a1");
    queue.delete("b", "b1");
    queue.delete("b", "b1");
    queue.delete("x", "x1");
    expect(queue.size).toBe(1);
    expect(drained(queue)).toEqual(["a2"]);
  });

  test("displaces the last of the key that has most, for the sake of one that has less", () => {
    const queue = filled(["a1", "b1", "b2", "b3", "b4"]);
    expect(queue.displace("b")).toBeUndefined();
    expect(queue.displace("a")).toBe("b4");
    expect(queue.displace("c")).toBe("b3");
    expect([...queue.heads()]).toEqual(["a1", "b1"]);
    expect(queue.displace("a")).toBeUndefined();
    expect(queue.size).toBe(3);
  });
});
