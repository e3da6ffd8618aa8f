import type { ApiIndex } from "@interlock/contracts";
import accepts from "accepts";
import { GatewayError } from "../errors.ts";
import { COMMON_HEADERS, type Endpoint, endpoint, query, sendJson } from "../http/index.ts";
import { readAssets } from "./assets.ts";
import { documentsInThread } from "./documents.ts";
import { type StaticFile, sendFile, staticPage } from "./files.ts";
import { homeHtml } from "./home.ts";
import { layout, PLACES, rawOf } from "./layout.ts";
import { SCREENS, screenHtml } from "./screens.ts";

/**
 * What people see in a browser, and the descriptions of the APIs. All of it is the same for everybody: no page knows anything of a mesh. The
 * first one's script asks the API, whose rules decide what it gets to see.
 */
export function pageEndpoints(): Endpoint[] {
  const assets = readAssets();
  const page = layout(assets);
  const made = (options: Parameters<typeof page>[0]): StaticFile =>
    staticPage(page(options).text, assets.importMap);
  const home = made({
    title: "Interlock",
    here: PLACES.home,
    body: homeHtml(),
    styles: ["home", "conversation"],
    script: "home",
  });
  const screens = new Map<string, StaticFile>(
    SCREENS.map(({ path, title }) => [
      path,
      made({
        title: `${title} – Interlock`,
        here: path,
        body: screenHtml(),
        styles: ["console"],
        script: "console",
      }),
    ]),
  );
  const documents = documentsInThread(assets.importMap);
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
    filesEndpoint("/docs", async (path) => (await documents()).get(path), [
      "text/html",
      "application/json",
      "application/yaml",
    ]),
    filesEndpoint("/assets", assets.find, ["text/css", "text/javascript", "image/svg+xml"]),
    // Which screen it is, its script reads from the address: so each has one that can be sent to somebody else.
    ...["/console", "/console/approvals", "/console/runs", "/console/conversations"].map((folder) =>
      endpoint({
        method: "GET",
        path: `${folder}/:id`,
        auth: "none",
        query: SCREEN_QUERY,
        produces: ["text/html"],
        handler({ req, res, id }) {
          const screen = screens.get(folder === "/console" ? `${folder}/${id}` : folder);
          if (!screen) throw new GatewayError("not_found");
          sendFile(req, res, screen);
        },
      }),
    ),
  ];
}

/** What the addresses of screens may have: what a list is filtered by, why somebody is signed out. */
const SCREEN_QUERY = Object.fromEntries(
  [
    ...["state", "flow", "service", "agent", "session", "subject", "code", "from", "to", "before"],
    ...["run", "why", "seq"],
  ].map((name) => [name, query.any]),
);

/** Of several that a client would take alike, such as curl, the first. */
const OFFERED = ["application/json", "text/html"];

function wantsPage(req: Parameters<typeof accepts>[0]): boolean {
  return accepts(req).type(OFFERED) === "text/html";
}

/**
 * @param folder of the paths that the files are under
 * @param find a file by its path
 */
function filesEndpoint(
  folder: string,
  find: (path: string) => StaticFile | undefined | Promise<StaticFile | undefined>,
  produces: readonly string[],
): Endpoint {
  return endpoint({
    method: "GET",
    path: `${folder}/:id`,
    auth: "none",
    produces,
    async handler({ req, res, id }) {
      const file = await find(`${folder}/${id}`);
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
