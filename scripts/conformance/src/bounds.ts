/** Limits of a check: times in milliseconds, sizes in bytes. */
export type Bounds = {
  /** For everything that is asked of one target. */
  readonly totalMs: number;
  readonly connectMs: number;
  /** For an answer that needs no run, such as a refusal or a health check. */
  readonly quickMs: number;
  /** For one run. */
  readonly runMs: number;
  /** The longest silence of a stream. */
  readonly keepaliveMs: number;
  /** From the terminal event until the response must end. */
  readonly closeMs: number;
  /** From the client's disconnect until the run must end. */
  readonly leaveMs: number;
  /** From a run's deadline until it must end. */
  readonly graceMs: number;
  /** Pause before a busy agent is asked again. Doubles each time. */
  readonly busyMs: number;
  /** Largest body of an answer that needs no run. */
  readonly smallBytes: number;
  readonly syncBytes: number;
  /** Largest stream. Above it, the stream counts as endless. */
  readonly streamBytes: number;
};

const MIB = 1024 * 1024;

/** Uses the times that the rules name. The other limits are fractions of the total: whoever gives a slow machine more has them grow with it. */
export function boundsFor(totalMs: number): Bounds {
  return {
    totalMs,
    connectMs: Math.min(Math.max(3_000, totalMs / 10), totalMs / 5),
    quickMs: Math.min(Math.max(3_000, totalMs / 10), totalMs / 8),
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
