import { expect, test } from "@jest/globals";
import type { SlotReading } from "../language/index.ts";
import { answersOf, leftBy, saidOtherwise } from "./answers.ts";
import { edited } from "./constraints-over-turns.ts";
import { emptyWorkingSet, type Question, type WorkingSet } from "./working-set.ts";

const [FEW, MANY] = [1_000, 32_000];

const names = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `VALVE-${from + n}`);

const reading = (more: Partial<SlotReading>): SlotReading => ({
  slots: {},
  cleared: [],
  unsupported: [],
  asks: [],
  rest: "",
  ...more,
});

/** A conversation with the question which of so many items is meant. */
function asked(count: number): { working: WorkingSet; question: Question; sets: { items: string[] } } {
  const sets = { items: names(count) };
  const question: Question = {
    key: "slot:items",
    text: 'Which item do you mean by "valve"?',
    options: [{ label: "All", sets }],
    pending: { goals: [], slots: {}, cleared: [] },
  };
  return { working: { ...emptyWorkingSet("pricing"), question }, question, sets };
}

/** Own time of the thread: others have none of it. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

const WORK: readonly (readonly [string, (count: number) => () => unknown])[] = [
  [
    "the same question again",
    (count) => {
      const { working, sets } = asked(count);
      const again = reading({ asks: [{ slot: "items", question: "?", options: [{ label: "All", sets }] }] });
      return () => answersOf(again, working);
    },
  ],
  [
    "an answer that chooses most of what was offered",
    (count) => {
      const { working } = asked(count);
      return () => leftBy({ items: names(count - 1, 1) }, working);
    },
  ],
  [
    "an answer in other words",
    (count) => {
      const { question } = asked(count);
      const chosen = reading({ slots: { items: names(count) } });
      return () => saidOtherwise("the lot", question, () => chosen);
    },
  ],
  [
    "a selection from which many are dropped",
    (count) => {
      const dropping = reading({ edits: { items: { adds: [], drops: names(count / 2) } } });
      return () => edited(dropping, { items: names(count) }, () => []);
    },
  ],
];

/** As much work as once with many items, where it is in proportion to them. Memory that is far away makes many slower than that. */
const ROUNDS = MANY / FEW;
const [ENOUGH_US, FAR_TOO_MUCH_US] = [60_000, 3_000_000];

test.each(WORK)("%s: the work grows with the items, and not with their square", (_, workOf) => {
  const [few, many] = [workOf(FEW), workOf(MANY)];
  for (let round = 0; round < ROUNDS; round++) few();
  let [short, long] = [0, 0];
  while (short < ENOUGH_US && long < FAR_TOO_MUCH_US) {
    short += cost(() => {
      for (let round = 0; round < ROUNDS; round++) few();
    });
    long += cost(many);
  }
  expect(long).toBeLessThan((ROUNDS / 2) * short);
});
