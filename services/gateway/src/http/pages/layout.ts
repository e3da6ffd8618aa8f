import { type Html, html } from "./html.ts";

/** Where the pages are. */
export const PLACES = {
  home: "/",
  api: "/docs/api",
  agents: "/docs/agents",
} as const;

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

/** A whole page. */
export function page({ title, here, body, styles, script }: Page): Html {
  const link = (path: string, name: string): Html =>
    html`<li><a href="${path}"${path === here ? html` aria-current="page"` : undefined}>${name}</a></li>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${["page", ...styles].map((name) => html`<link rel="stylesheet" href="/assets/${name}.css">\n`)}<script type="module" src="/assets/${script}.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${PLACES.home}"><img src="/assets/icon.svg" alt="" width="28" height="28"> Interlock</a>
<nav aria-label="Pages"><ul>
${link(PLACES.home, "Mesh")}
${link(PLACES.api, "API")}
${link(PLACES.agents, "Agent contract")}
</ul></nav>
</header>
${body}
</body>
</html>
`;
}
