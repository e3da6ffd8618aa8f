import { expect, test } from "@jest/globals";
import { type Place, Places } from "./places.ts";

const owner = (subject: string, tenant = "acme") => ({ tenant, subject });

function takeAll(places: Places, subject: string): Place[] {
  const taken: Place[] = [];
  for (let place = places.take(owner(subject)); place; place = places.take(owner(subject))) taken.push(place);
  return taken;
}

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 4],
  [1_000, 500],
])("of %d places one user gets %d, and another still finds one", (count, most) => {
  const places = new Places(count);
  expect(takeAll(places, "ann")).toHaveLength(most);
  expect(places.take(owner("lee")) !== undefined).toBe(count > 1);
});

test("each user gets fewer the more there are, the same name in another tenant is another user, and all places are used", () => {
  const places = new Places(60);
  expect([takeAll(places, "ann").length, takeAll(places, "lee").length]).toEqual([30, 15]);
  expect(places.take(owner("ann", "other"))).toBeDefined();
  for (let n = 0; places.hasFree; n++) expect(places.take(owner(`user-${n}`))).toBeDefined();
  expect([places.size, places.take(owner("late"))]).toEqual([60, undefined]);
});

test("a place that is given back is free again, once", async () => {
  const places = new Places(2);
  const [first] = takeAll(places, "ann");
  const second = places.take(owner("lee"));
  let room = false;
  const waiting = places.room().then(() => {
    room = true;
  });
  await Promise.resolve();
  expect(room).toBe(false);
  first?.leave();
  first?.leave();
  await waiting;
  expect(places.size).toBe(1);
  // Only lee's place is taken, so that ann may have one again.
  expect(takeAll(places, "ann")).toHaveLength(1);
  second?.leave();
  expect(places.size).toBe(1);
});
