import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { ApiIndex } from "@interlock/contracts";
import accepts from "accepts";
import { GatewayError } from "../../errors.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { COMMON_HEADERS, sendJson } from "../respond.ts";
import { documentsInThread } from "./documents.ts";
import { type Files, type StaticFile, sendFile, staticFile, staticPage } from "./files.ts";
import { homeHtml } from "./home.ts";
import { PLACES, page, rawOf } from "./layout.ts";

const ASSETS = new URL("./assets/", import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
};

/**
 * What people see in a browser, and the descriptions of the APIs. All of it is the same for everybody: no page knows anything of a mesh. The
 * first one's script asks the API, whose rules decide what it gets to see.
 */
export function pageEndpoints(): Endpoint[] {
  const assets = new Map(readdirSync(ASSETS).map(assetOf));
  const home = staticPage(
    page({
      title: "Interlock",
      here: PLACES.home,
      body: homeHtml(),
      styles: ["home", "conversation"],
      script: "home",
    }).text,
  );
  return [
    endpoint({
      method: "GET",
      path: "/",
      auth: "none",
      produces: OFFERED,
      handler({ req, res }) {
        res.appendHeader("vary", "accept");
        if (wantsPage(req)) sendFile(req, res, home);
        else sendJson(res, INDEX);
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1",
      auth: "none",
      produces: OFFERED,
      handler({ req, res }) {
        res.appendHeader("vary", "accept");
        if (wantsPage(req)) res.writeHead(302, { ...COMMON_HEADERS, location: PLACES.home }).end();
        else sendJson(res, INDEX);
      },
    }),
    filesEndpoint("/docs", documentsInThread(), ["text/html", "application/json", "application/yaml"]),
    filesEndpoint("/assets", () => assets, ["text/css", "text/javascript", "image/svg+xml"]),
  ];
}

/** Of several that a client would take alike, such as curl, the first. */
const OFFERED = ["application/json", "text/html"];

function wantsPage(req: Parameters<typeof accepts>[0]): boolean {
  return accepts(req).type(OFFERED) === "text/html";
}

function assetOf(name: string): [path: string, file: StaticFile] {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`${name} is of no type that pages have`);
  return [`/assets/${name}`, staticFile(type, readFileSync(new URL(name, ASSETS)))];
}

/**
 * @param folder of the paths that the files are under
 * @param filesOf those that there are, by their paths
 */
function filesEndpoint(
  folder: string,
  filesOf: () => Files | Promise<Files>,
  produces: readonly string[],
): Endpoint {
  return endpoint({
    method: "GET",
    path: `${folder}/:id`,
    auth: "none",
    produces,
    async handler({ req, res, id }) {
      const file = (await filesOf()).get(`${folder}/${id}`);
      if (!file) throw new GatewayError("not_found");
      sendFile(req, res, file);
    },
  });
}

/** What a program finds where a person finds the page. */
const INDEX: ApiIndex = {
  name: "Interlock",
  links: {
    chat: "/api/v1/chat",
    services: "/api/v1/services",
    agents: "/api/v1/agents",
    runs: "/api/v1/runs",
    approvals: "/api/v1/approvals",
    live: "/healthz",
    ready: "/readyz",
    openapi: rawOf(PLACES.api).json,
    agent_openapi: rawOf(PLACES.agents).json,
    docs: PLACES.api,
  },
};
