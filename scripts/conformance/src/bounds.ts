/** What a check never goes past: waits in milliseconds, sizes in bytes. */
export type Bounds = {
  /** For one target, all told. */
  readonly totalMs: number;
  readonly connectMs: number;
  /** For an answer that needs no run: a refusal, a health check. */
  readonly quickMs: number;
  /** For one run. */
  readonly runMs: number;
  /** The longest silence of a stream. */
  readonly keepaliveMs: number;
  /** From the terminal event to the end of the response. */
  readonly closeMs: number;
  /** From the client's leaving to the end of the run. */
  readonly leaveMs: number;
  /** From a run's deadline to its end. */
  readonly graceMs: number;
  /** Before an agent that was busy is asked again, doubled each time. */
  readonly busyMs: number;
  /** Of a body that no run made. */
  readonly smallBytes: number;
  readonly syncBytes: number;
  /** Of all events of a stream: past it the stream counts as endless. */
  readonly streamBytes: number;
};

const MIB = 1024 * 1024;

/** The times that the rules name, and shares of the total for the others. */
export function boundsFor(totalMs: number): Bounds {
  return {
    totalMs,
    connectMs: Math.min(3_000, totalMs / 5),
    quickMs: Math.min(3_000, totalMs / 8),
    runMs: totalMs * 0.4,
    keepaliveMs: 20_000,
    closeMs: 5_000,
    leaveMs: 2_000,
    graceMs: 1_000,
    busyMs: 250,
    smallBytes: MIB,
    syncBytes: 16 * MIB,
    streamBytes: 256 * MIB,
  };
}
