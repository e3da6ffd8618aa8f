const IN_URL = /:\/\/[^\s/?#@"']+@/;

/** As providers of models and clouds write their keys. */
const KEY = /\b(?:sk-[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,})|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** The places of a manifest that hold credentials. Secrets come from the environment or from files, not from here. */
export function credentialProblems(value: unknown, path = ""): string[] {
  if (typeof value === "string") {
    if (IN_URL.test(value)) return [`${path || "/"}: a URL must not hold credentials`];
    return KEY.test(value) ? [`${path || "/"}: a key must not stand in the manifest; name its variable`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => credentialProblems(one, `${path}/${name}`));
}
