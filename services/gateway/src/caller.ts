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

/** The caller on whose behalf an agent is asked. */
export type ActingCaller = Pick<Caller, "tenant" | "issuer" | "subject" | "roles">;

/** One request to an agent. */
export type Dispatched = {
  readonly agent: string;
  readonly caller: ActingCaller;
  readonly runId?: string | undefined;
  readonly step?: string | undefined;
  /** How long the agent has for its answer. */
  readonly timeoutMs: number;
};

/** Called when a role lets the caller reach what another person owns. @param resource its kind and id */
export type OnForeign = (caller: Caller, resource: string) => void;
