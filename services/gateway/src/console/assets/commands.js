/** Commands for a terminal that do what the page does. */
import { element } from "./dom.js";

/** Any mesh answers it. */
const ANY = "What can you do?";

/**
 * @param {any[]} services as GET /api/v1/services lists them
 * @param {boolean} needsToken
 */
export function commandFigures(services, needsToken) {
  const exampleOf = (/** @type {string} */ kind) => {
    const shown = services.filter((one) => one.kind === kind && one.examples);
    // Of flows, the one with the most to see.
    return shown.sort((one, other) => (other.goals?.length ?? 0) - (one.goals?.length ?? 0))[0]?.examples[0];
  };
  const token = needsToken ? ' -H "Authorization: Bearer $TOKEN"' : "";
  const api = `${location.origin}/api/v1`;
  const chat = (/** @type {string} */ query, /** @type {string} */ message) =>
    `-X POST ${quoted(`${api}/chat${query}`)}${token} \\\n  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify({ message, session_id: "terminal-1" }))}`;
  return [
    figure("One answer", `curl -s ${chat("", exampleOf("agent") ?? ANY)}`),
    figure("As a stream, event by event", `curl -N ${chat("?stream=true", exampleOf("flow") ?? ANY)}`),
    figure(
      "What there is",
      `curl -s ${quoted(`${api}/services`)}${token}\ncurl -s ${quoted(`${api}/agents`)}${token}`,
    ),
  ];
}

/** One word of a shell, whatever is in it. @param {string} text */
export const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {string} title @param {string} text */
function figure(title, text) {
  return element(
    "figure.command",
    {},
    element("figcaption", {}, title),
    // Only pages with TLS, or of this machine, may use the clipboard.
    navigator.clipboard ? copyButton(title, text) : undefined,
    element("pre", {}, element("code", {}, text)),
  );
}

/** @param {string} title @param {string} text */
function copyButton(title, text) {
  const button = element("button.copy", { type: "button", "aria-label": `Copy: ${title}` }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  return button;
}
