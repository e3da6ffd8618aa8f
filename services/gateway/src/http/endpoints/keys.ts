import { type Endpoint, endpoint } from "../endpoint.ts";
import { COMMON_HEADERS } from "../respond.ts";

export type KeyEndpointsDeps = {
  /** The public halves of the keys that sign what the gateway sends to agents. */
  jwks: object;
};

/** How long agents may cache the keys. A token with an unknown key makes them fetch again sooner. */
const CACHE = "public, max-age=60";

/** Serves the keys with which agents verify the gateway's tokens. */
export function keyEndpoints({ jwks }: KeyEndpointsDeps): Endpoint[] {
  const text = JSON.stringify(jwks);
  const headers = {
    ...COMMON_HEADERS,
    "cache-control": CACHE,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  };
  return [
    endpoint({
      method: "GET",
      path: "/.well-known/jwks.json",
      auth: "none",
      handler({ res }) {
        res.writeHead(200, headers);
        res.end(text);
      },
    }),
  ];
}
