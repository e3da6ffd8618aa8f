/** What somebody sees after signing out, or where signing in came to nothing. */
import { html } from "./parts.js";
import { t } from "./texts.js";

const REASONS = new Set(["no_issuer", "issuer_away", "refused", "begin_again"]);

export function SignedOut() {
  const why = new URLSearchParams(location.search).get("why") ?? "";
  return html`<h1>${t("out.title")}</h1>
    <p class="lead">${t(REASONS.has(why) ? `out.${why}` : "out.text")}</p>
    <p class="row"><a class="button primary" href="/console/sign-in?return=/">${t("who.sign_in")}</a></p>`;
}
