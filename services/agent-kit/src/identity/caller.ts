/** On whose behalf a request is sent, as the gateway has signed it. */
export type VerifiedCaller = {
  readonly subject: string;
  /** Who vouches for the subject: another issuer's subject of the same name is somebody else. */
  readonly issuer: string;
  readonly tenant: string;
  readonly roles: readonly string[];
  /** Which rows of the agent's data the caller may see, by the policies of the roles; absent: the gateway has none. */
  readonly rows?: Readonly<Record<string, unknown>>;
  readonly runId?: string;
  readonly step?: string;
};

/** Finds the caller of a run request by its `Authorization` header. Throws Refused where it does not prove one. */
export type VerifyCaller = (authorization: string | undefined) => Promise<VerifiedCaller>;
