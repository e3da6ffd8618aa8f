/** What every page has: its colours, who looks at it, signing in and out. */
import { hasToken, request, signInAddress, whoAmI } from "./api.js";
import { byId, element } from "./dom.js";
import { language, t } from "./texts.js";

const THEME = "interlock-theme";
const root = document.documentElement;

/** The only thing that is kept in the browser. Where nothing may be kept, the system's colours do. */
function storedTheme() {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

const stored = storedTheme();
if (stored === "light" || stored === "dark") root.dataset.theme = stored;

const isDark = () =>
  root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

const theme = element("button.theme", { type: "button", click: turn });
function turn() {
  root.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem(THEME, root.dataset.theme);
  } catch {
    // It lasts as long as the page.
  }
  label();
}
function label() {
  const name = t(isDark() ? "theme.to_light" : "theme.to_dark");
  theme.textContent = isDark() ? "☀" : "☾";
  theme.setAttribute("aria-label", name);
  theme.title = name;
}
label();

if (language === "ko")
  for (const link of document.querySelectorAll("[data-text]")) {
    link.textContent = t(link.getAttribute("data-text") ?? "");
    link.setAttribute("lang", "ko");
  }

async function signOut() {
  const answer = await request("/console/sign-out", { method: "POST" }).catch(() => undefined);
  const { end_session } = answer ? await answer.json() : {};
  location.assign(end_session ?? "/console/signed-out");
}

/** @param {string} key */
const said = (key) => element("span.muted", {}, t(key));
const signIn = () => element("a.sign-in", { href: signInAddress() }, t("who.sign_in"));

async function showWho() {
  const who = byId("who");
  who.setAttribute("lang", language);
  try {
    const me = await whoAmI();
    if (!me) who.replaceChildren(said("who.nobody"), signIn(), theme);
    else if (me.issuer === "local") who.replaceChildren(said("who.local"), signIn(), theme);
    else {
      const title = t("who.roles", { subject: me.subject, roles: me.roles.join(", ") });
      const name = element(
        "span.name",
        { title },
        element("strong", {}, me.subject),
        ` ${me.roles.join(", ")}`,
      );
      const out = element("button", { type: "button", click: () => void signOut() }, t("who.sign_out"));
      who.replaceChildren(name, ...(hasToken() ? [] : [out]), theme);
    }
  } catch {
    who.replaceChildren(said("who.away"), theme);
  }
}

void showWho();

// A browser may keep the whole page for its way back, beyond the end of the session: it keeps nothing, and begins anew.
addEventListener("pagehide", ({ persisted }) => {
  if (persisted) document.body.replaceChildren();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
