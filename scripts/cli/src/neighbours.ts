/** Longer than any service of this machine takes. */
const ANSWER_MS = 1_500;

/** What serves a URL, if it is a service such as those of a mesh: "an Interlock gateway", `the agent "policy"`. */
export async function whoAnswers(url: string): Promise<string | undefined> {
  try {
    const { status } = await get(`${url}/readyz`);
    if (status === "ready" || status === "not_ready") return "an Interlock gateway";
    const { name, contract } = await get(`${url}/agents/card`);
    if (typeof name === "string" && typeof contract === "string") return `the agent ${JSON.stringify(name)}`;
    const { issuer } = await get(`${url}/.well-known/openid-configuration`);
    return typeof issuer === "string" ? "an issuer of tokens" : undefined;
  } catch {
    // It does not speak HTTP.
    return undefined;
  }
}

/** @returns an empty object where the answer is none */
async function get(url: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
  const body: unknown = await answer.json().catch(() => undefined);
  return typeof body === "object" && body !== null ? { ...body } : {};
}
