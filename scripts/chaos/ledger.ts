/** A user of one of two tenants: data that leaks between tenants is noticed. */
export type Caller = { readonly user: string; readonly tenant: string; readonly roles: readonly string[] };

export type Dialect = "run" | "chat";

/** A run that the gateway has acknowledged, and what clients have seen of it. */
export type RunFact = {
  readonly id: string;
  readonly caller: Caller;
  readonly scenario: string;
  /** Event data as received, by dialect and seq. */
  readonly seen: Readonly<Record<Dialect, Map<number, string>>>;
  /** Digest of the log once the run has ended and was checked: it must not change any more. */
  sealed?: string;
};

/** The answer to a decision or a cancel. Status 0 means that no answer came, so its effect is unknown. */
export type Answer = {
  readonly runId: string;
  /** Undefined for a cancel. */
  readonly approvalId?: string;
  readonly action: "approve" | "reject" | "cancel";
  readonly user: string;
  /** Repeated requests with one idempotency key are one operation. */
  readonly operation: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

/** One scenario that a user played; `trouble` says what failed. */
export type Attempt = {
  readonly scenario: string;
  readonly from: number;
  readonly to: number;
  readonly trouble?: string;
};

export type Violation = { readonly kind: string; readonly about: string; readonly detail: string };

/** Records what the gateways acknowledged, what faults were injected, and which violations were found. */
export class Ledger {
  readonly runs = new Map<string, RunFact>();
  readonly answers: Answer[] = [];
  readonly attempts: Attempt[] = [];
  readonly violations: Violation[] = [];
  readonly faults = new Map<string, number>();
  /** Plans that ended with an error, though every fault was healed within their deadline. */
  readonly failedPlans: string[] = [];
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

  /** Records an event that a reader received. All readers must receive the same event for a seq. */
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

  /** Runs `fault` and records when it disturbed the mesh. */
  async during<T>(fault: () => Promise<T>): Promise<T> {
    const window = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#windows.push(window);
    try {
      return await fault();
    } finally {
      // The mesh has two seconds to recover.
      window.to = Date.now() + 2_000;
    }
  }

  disturbed({ from, to }: { from: number; to: number }): boolean {
    return this.#windows.some((window) => window.from <= to && from <= window.to);
  }
}

/** Event data without what may differ: in the chat dialect a pause has `done: true` only while it is the last event. */
export function neutral(data: string): string {
  return data.replace('"done":true', '"done":false');
}
