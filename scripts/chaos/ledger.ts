/** Who does something. Two tenants, so that nothing of one shows up with the other unnoticed. */
export type Caller = { readonly user: string; readonly tenant: string; readonly roles: readonly string[] };

export type Dialect = "run" | "chat";

/** A run that the gateway has acknowledged, and what was seen of it from outside. */
export type RunFact = {
  readonly id: string;
  readonly caller: Caller;
  readonly scenario: string;
  /** Event data as readers got it, by dialect and seq. */
  readonly seen: Readonly<Record<Dialect, Map<number, string>>>;
  /** When a cancel was acknowledged (ms). */
  cancelledAt?: number;
  /** Over and checked: the digest of its log, which must never change again. */
  sealed?: string;
};

/** An answer to a decision or a cancel. Status 0: no answer came, and what became of it is not known. */
export type Answer = {
  readonly runId: string;
  /** Undefined for a cancel. */
  readonly approvalId?: string;
  readonly action: "approve" | "reject" | "cancel";
  readonly user: string;
  /** Requests with one key are one operation. */
  readonly operation: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

/** One thing that a user tried, and whether it came to a good end. */
export type Attempt = {
  readonly scenario: string;
  readonly from: number;
  readonly to: number;
  readonly trouble?: string;
};

export type Violation = { readonly kind: string; readonly about: string; readonly detail: string };

/** Everything that was acknowledged, and everything that was found wrong. */
export class Ledger {
  readonly runs = new Map<string, RunFact>();
  readonly answers: Answer[] = [];
  readonly attempts: Attempt[] = [];
  readonly violations: Violation[] = [];
  readonly faults = new Map<string, number>();
  readonly #windows: { from: number; to: number }[] = [];
  eventsSeen = 0;
  longestGapMs = 0;

  acknowledge(id: string, caller: Caller, scenario: string): RunFact {
    const known = this.runs.get(id);
    if (known) return known;
    const fact: RunFact = { id, caller, scenario, seen: { run: new Map(), chat: new Map() } };
    this.runs.set(id, fact);
    return fact;
  }

  /** A reader got this event. Two readers, or one twice, must never get two events under one number. */
  saw(runId: string, dialect: Dialect, seq: number, data: string): void {
    const seen = this.runs.get(runId)?.seen[dialect];
    if (!seen) return;
    this.eventsSeen++;
    const text = neutral(data);
    const before = seen.get(seq);
    if (before !== undefined && before !== text)
      this.violate("event differs between readers", runId, `${seq}`);
    seen.set(seq, text);
  }

  violate(kind: string, about: string, detail = ""): void {
    this.violations.push({ kind, about, detail });
  }

  count(fault: string, times = 1): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + times);
  }

  /** Runs `fault` and notes when it disturbed the mesh, and that it did. */
  async during<T>(fault: () => Promise<T>): Promise<T> {
    const window = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#windows.push(window);
    try {
      return await fault();
    } finally {
      // What the mesh is given to work as before again.
      window.to = Date.now() + 2_000;
    }
  }

  disturbed({ from, to }: { from: number; to: number }): boolean {
    return this.#windows.some((window) => window.from <= to && from <= window.to);
  }
}

/** In the chat dialect a pause is an end only for who reads it as the last event: `done` may differ. */
export function neutral(data: string): string {
  return data.replace('"done":true', '"done":false');
}
