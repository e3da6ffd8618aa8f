import { type Html, html } from "./html.ts";

/** The screens of the console that have lists; an item of one has its id behind the path. */
export const SCREENS = [
  { path: "/console/approvals", title: "Approvals" },
  { path: "/console/runs", title: "Runs" },
  { path: "/console/conversations", title: "Conversations" },
  { path: "/console/operations", title: "Operations" },
  { path: "/console/signed-out", title: "Signed out" },
] as const;

/** Every screen is the same page: its script makes it of what the API tells whoever looks. */
export function screenHtml(): Html {
  return html`<main id="main" class="screen">
<noscript><p class="note">The console needs JavaScript. Programs get the same from <a href="/docs/api">the API</a>.</p></noscript>
<p class="loading" role="status">Looking …</p>
</main>`;
}
