import type { Assets } from "./assets.ts";
import { Html, html } from "./html.ts";

/** Where the pages are. */
export const PLACES = {
  home: "/",
  api: "/docs/api",
  agents: "/docs/agents",
} as const;

/** What the frame leads to: path, name in the file of texts, name. */
const NAVIGATION = [
  [PLACES.home, "nav.mesh", "Mesh"],
  ["/console/conversations", "nav.conversations", "Conversations"],
  ["/console/approvals", "nav.approvals", "Approvals"],
  ["/console/runs", "nav.runs", "Runs"],
  ["/console/operations", "nav.operations", "Operations"],
  [PLACES.api, "nav.api", "API"],
  [PLACES.agents, "nav.agents", "Agent contract"],
] as const;

/** Where the document itself is, of which a page is made. */
export function rawOf(place: string): { json: string; yaml: string } {
  return { json: `${place}.json`, yaml: `${place}.yaml` };
}

export type Page = {
  readonly title: string;
  /** Its path. */
  readonly here: string;
  readonly body: Html;
  /** Its own, beside those of every page. */
  readonly styles: readonly string[];
  /** A module. */
  readonly script: string;
};

/** Makes whole pages, all with one frame. What depends on who looks is filled in by scripts. */
export function layout(assets: Pick<Assets, "hrefOf" | "importMap">): (page: Page) => Html {
  const { hrefOf, importMap } = assets;
  return ({ title, here, body, styles, script }) => {
    const link = ([path, key, name]: (typeof NAVIGATION)[number]): Html =>
      html`<li><a href="${path}" data-text="${key}"${path === here ? html` aria-current="page"` : undefined}>${name}</a></li>\n`;
    return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${hrefOf("icon.svg")}" type="image/svg+xml">
${["page", ...styles].map((name) => html`<link rel="stylesheet" href="${hrefOf(`${name}.css`)}">\n`)}<script type="importmap">${new Html(importMap)}</script>
<script type="module" src="${hrefOf("frame.js")}"></script>
<script type="module" src="${hrefOf(`${script}.js`)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${PLACES.home}"><img src="${hrefOf("icon.svg")}" alt="" width="28" height="28"> Interlock</a>
<nav aria-label="Pages"><ul>
${NAVIGATION.map(link)}</ul></nav>
<div id="who" class="who"></div>
</header>
${body}
</body>
</html>
`;
  };
}
