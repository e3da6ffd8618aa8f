import { plainHost } from "./address.ts";
import type { EgressRules } from "./rules.ts";

/**
 * What is wrong with a URL that the manifest names, as far as it can be known without resolving names.
 * @returns a sentence that says how to put it right; undefined where the URL may be used
 */
export function urlProblem(text: string, rules: EgressRules): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "it is not a valid address";
  if (url.username !== "" || url.password !== "") return "an address must not hold credentials";
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const host = plainHost(url.hostname);
  switch (rules.judgeHost(host, port)) {
    case "forbidden":
      return `${host} is link-local, a metadata service or no host's address, which is never allowed`;
    case "reserved":
      return `${host}:${port} is the gateway's own store`;
    case "unlisted":
      return `${host} is not on the public internet; to allow it, write: ${rules.sectionWith(host)}`;
    default:
      return undefined;
  }
}
