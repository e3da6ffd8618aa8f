import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { type ApiIndex, type ContractFolder, contractFolders } from "@interlock/contracts";
import accepts from "accepts";
import { stringify } from "yaml";
import { ERRORS, GatewayError } from "../../errors.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { COMMON_HEADERS, sendJson } from "../respond.ts";
import { apiHtml } from "./api-html.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { type StaticFile, sendFile, staticFile, staticPage } from "./files.ts";
import { homeHtml } from "./home.ts";
import { PLACES, page, rawOf } from "./layout.ts";

const ASSETS = new URL("./assets/", import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
};

/**
 * What people see in a browser, and the descriptions of the APIs. All of it is made here, once, and is the same for everybody: no page knows
 * anything of a mesh. The first one's script asks the API, whose rules decide what it gets to see.
 */
export function pageEndpoints(): Endpoint[] {
  const assets = new Map(readdirSync(ASSETS).map(assetOf));
  const gateway = bundle(contract("gateway"));
  const documents = new Map([
    ...documentsOf(PLACES.api, gateway),
    ...documentsOf(PLACES.agents, bundle(contract("agent"))),
  ]);
  const home = staticPage(
    page({
      title: "Interlock",
      here: PLACES.home,
      body: homeHtml(),
      styles: ["home", "conversation"],
      script: "home",
    }),
  );
  const index = indexOf(gateway);
  return [
    endpoint({
      method: "GET",
      path: "/",
      auth: "none",
      produces: INDEX,
      handler({ req, res }) {
        res.appendHeader("vary", "accept");
        if (wantsPage(req)) sendFile(req, res, home);
        else sendJson(res, index);
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1",
      auth: "none",
      produces: INDEX,
      handler({ req, res }) {
        res.appendHeader("vary", "accept");
        if (wantsPage(req)) res.writeHead(302, { ...COMMON_HEADERS, location: PLACES.home }).end();
        else sendJson(res, index);
      },
    }),
    filesEndpoint("/docs", documents, ["text/html", "application/json", "application/yaml"]),
    filesEndpoint("/assets", assets, ["text/css", "text/javascript", "image/svg+xml"]),
  ];
}

/** Of several that a client would take alike, such as curl, the first. */
const INDEX = ["application/json", "text/html"];

function wantsPage(req: Parameters<typeof accepts>[0]): boolean {
  return accepts(req).type(INDEX) === "text/html";
}

/** Those of a description: as a page, as JSON, as YAML. */
function documentsOf(place: string, document: Bundle): [path: string, file: StaticFile][] {
  const { json, yaml } = rawOf(place);
  const codes =
    place === PLACES.api ? Object.entries(ERRORS).map(([code, error]) => ({ code, ...error })) : [];
  return [
    [
      place,
      staticPage(
        page({
          title: document.info.title,
          here: place,
          body: apiHtml(document, { json, yaml }, codes),
          styles: ["docs"],
          script: "docs",
        }),
      ),
    ],
    [json, staticFile("application/json; charset=utf-8", JSON.stringify(document))],
    [
      yaml,
      staticFile("application/yaml; charset=utf-8", stringify(document, { aliasDuplicateObjects: false })),
    ],
  ];
}

function assetOf(name: string): [path: string, file: StaticFile] {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`${name} is of no type that pages have`);
  return [`/assets/${name}`, staticFile(type, readFileSync(new URL(name, ASSETS)))];
}

function contract(name: string): ContractFolder {
  const found = contractFolders.find((folder) => folder.name === name);
  if (!found) throw new Error(`there is no contract ${name}`);
  return found;
}

/** @param folder of the paths, which the files have their names in */
function filesEndpoint(folder: string, files: ReadonlyMap<string, StaticFile>, produces: string[]): Endpoint {
  return endpoint({
    method: "GET",
    path: `${folder}/:id`,
    auth: "none",
    produces,
    handler({ req, res, id }) {
      const file = files.get(`${folder}/${id}`);
      if (!file) throw new GatewayError("not_found");
      sendFile(req, res, file);
    },
  });
}

/** What a program finds where a person finds the page. */
function indexOf({ info }: Bundle): ApiIndex {
  return {
    name: info.title,
    version: info.version,
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
}
