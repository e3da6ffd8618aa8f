/** Who is calling. Every key and every look-up goes through the tenant, so a foreign id answers like an unknown one. */
export type Caller = {
  readonly tenant: string;
  readonly subject: string;
  readonly roles: readonly string[];
};
