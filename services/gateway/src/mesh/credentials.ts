const IN_URL = /:\/\/[^\s/?#@"']+@/;

/** The places of a manifest at which a URL holds credentials. Secrets come from the environment or from files, not from here. */
export function credentialProblems(value: unknown, path = ""): string[] {
  if (typeof value === "string")
    return IN_URL.test(value) ? [`${path || "/"}: a URL must not hold credentials`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => credentialProblems(one, `${path}/${name}`));
}
