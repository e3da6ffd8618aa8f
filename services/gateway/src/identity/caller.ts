/** Who is calling. Every key in the store and every look-up goes through the tenant; foreign ids so answer like unknown ones. */
export type Caller = {
  readonly tenant: string;
  readonly subject: string;
  readonly roles: readonly string[];
};

export const LOCAL_CALLER: Caller = { tenant: "default", subject: "local", roles: [] };
