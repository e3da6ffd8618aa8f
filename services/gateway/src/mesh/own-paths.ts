/** The first parts of the API's own paths below `/api/v1/`: an endpoint of a manifest there would hide them, or be hidden by them. */
export const OWN_PATHS: ReadonlySet<string> = new Set([
  ...["admin", "agents", "approvals", "chat", "feedback", "mcps", "me", "runs", "services", "sessions"],
  ...["tables", "tools", "usage"],
]);
