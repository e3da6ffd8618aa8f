import { COMMON_HEADERS, type Endpoint, endpoint, query, sendJson } from "../http/index.ts";
import type { Browsers } from "./browsers.ts";

const MAX_AGE = query.integer(0, 86_400);

/** By which people sign in and out from a browser. */
export function signInEndpoints(browsers: Browsers): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/console/sign-in",
      auth: "none",
      query: { return: query.any, max_age: MAX_AGE, issuer: query.text },
      produces: ["text/html"],
      async handler({ req, res, query: { return: back, max_age: maxAgeS, issuer } }) {
        const location = await browsers.begin(req, res, { back, maxAgeS, issuer });
        res.writeHead(302, { ...COMMON_HEADERS, ...PRIVATE, location }).end();
      },
    }),

    /** Where the issuer sends the browser back to; what it says is checked by the library of the protocol. */
    endpoint({
      method: "GET",
      path: "/console/signed-in",
      auth: "none",
      query: Object.fromEntries(ANSWER.map((name) => [name, query.any])),
      produces: ["text/html"],
      async handler({ req, res }) {
        const location = await browsers.finish(req, res);
        res.writeHead(302, { ...COMMON_HEADERS, ...PRIVATE, location }).end();
      },
    }),

    endpoint({
      method: "POST",
      path: "/console/sign-out",
      auth: "none",
      async handler({ req, res }) {
        const there = await browsers.end(req, res);
        // Pages that a browser has kept to go back to are gone, too.
        res.setHeader("clear-site-data", '"cache"');
        sendJson(res, { signed_out: true, ...(there === undefined ? {} : { end_session: there }) });
      },
    }),
  ];
}

const PRIVATE = { "referrer-policy": "no-referrer" } as const;

/** What issuers send along (RFC 6749, RFC 9207, OpenID Connect Session Management). */
const ANSWER = ["code", "state", "iss", "session_state", "error", "error_description", "error_uri", "scope"];
