import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { expect } from "@jest/globals";
import { transferAgent } from "../src/agent.ts";
import type { Entry, Ledger } from "../src/ledger.ts";

export const LIMITS = { currency: "KRW", most: { KRW: 1_000_000_000 } };

/** A Wednesday. */
export const WEDNESDAY = new Date(2026, 10, 18, 12);

export type TestLedger = Ledger & { readonly entries: ReadonlyMap<string, Entry>; isDown: boolean };

/** Keeps to what the ledger promises, in memory. */
export function testLedger(): TestLedger {
  const entries = new Map<string, Entry>();
  return {
    entries,
    isDown: false,
    async record(entry) {
      if (this.isDown) throw new Error("down");
      const held = entries.get(entry.id) ?? entry;
      entries.set(entry.id, held);
      return held;
    },
    close: async () => {},
  };
}

export function startTransfer(ledger: Ledger): Promise<TestAgent> {
  return startAgent(transferAgent({ ledger, limits: LIMITS, now: () => WEDNESDAY }));
}

export function idOf(state: Readonly<Record<string, unknown>>): string {
  const task = state.task;
  expect(task).toMatchObject({ id: expect.any(String) });
  return typeof task === "object" && task !== null && "id" in task ? String(task.id) : "";
}
