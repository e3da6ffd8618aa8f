/** Seconds for which the store keeps an idle session, and the record and the log of a finished run. */
export type Retention = { sessionTtlS: number; runTtlS: number; logTtlS: number };

/** What counts for a tenant. It is asked with each write, so that a reload takes effect at once. */
export type RetentionOf = (tenant: string) => Readonly<Retention>;
