/** The caller on whose behalf the gateway sends a request, as its token states. */
export type VerifiedCaller = {
  readonly subject: string;
  /** The issuer of the subject: the same name from another issuer is another person. */
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
