/** Who is calling. Every key and every look-up goes through the tenant, so a foreign id answers like an unknown one. */
export type Caller = {
  readonly tenant: string;
  /** The name under which the manifest knows the issuer that vouches for the subject; `local` without a token. */
  readonly issuer: string;
  readonly subject: string;
  readonly roles: readonly string[];
  /** Unix seconds at which the subject proved who they are; absent without a token. */
  readonly authenticatedAt?: number;
};

/** Names one subject of a tenant: two issuers may know different people by the same name. */
export function principalOf({ issuer, subject }: Pick<Caller, "issuer" | "subject">): string {
  return `${issuer}:${subject}`;
}

/** Which rows of its data an agent may use for a caller, by the roles' policies; agents know what the members mean. */
export type RowFilters = Readonly<Record<string, unknown>>;

/** The caller on whose behalf an agent is asked. */
export type ActingCaller = Pick<Caller, "tenant" | "issuer" | "subject" | "roles"> & { rows?: RowFilters };

/** One request to an agent. */
export type Dispatched = {
  readonly agent: string;
  readonly caller: ActingCaller;
  readonly runId?: string | undefined;
  readonly step?: string | undefined;
  /** How long the agent has for its answer. */
  readonly timeoutMs: number;
};
