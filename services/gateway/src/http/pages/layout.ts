import { type Html, html } from "./html.ts";

/** Where the pages are. */
export const PLACES = {
  home: "/",
  api: "/docs/api",
  agents: "/docs/agents",
} as const;

/** A whole page. @param script the module that it runs, if any */
export function page(title: string, here: string, body: Html, script?: string): Html {
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
<link rel="stylesheet" href="/assets/page.css">
${script === undefined ? undefined : html`<script type="module" src="${script}"></script>`}
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
