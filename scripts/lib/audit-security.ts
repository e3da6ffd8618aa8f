const ACTS: readonly unknown[] = [
  "token_refused",
  "permission_refused",
  "foreign_access",
  "manifest_reloaded",
  "webhook_redelivered",
  "data_erased",
];
/** Acts that are noted without an address: whoever did them is known, or was a signal. */
const WITHOUT_ADDRESS: readonly unknown[] = [
  "foreign_access",
  "manifest_reloaded",
  "webhook_redelivered",
  "data_erased",
];

/** What is wrong with an entry about security, which no other record can contradict. */
export function securityProblem(entry: Readonly<Record<string, unknown>>): string | undefined {
  const { act, at, count, by, from, resource, others } = entry;
  if (!ACTS.includes(act)) return "it is about an act that no gateway writes";
  if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return "it does not say when";
  if (typeof count !== "number" || count < 1) return "it does not say how often";
  if (others === true) return undefined;
  if (typeof resource !== "string") return "it does not say what";
  if (typeof from !== "string" && !WITHOUT_ADDRESS.includes(act)) return "it does not say from where";
  return act !== "foreign_access" || typeof by === "string" ? undefined : "it does not say who";
}
