/** The first page: keeps the state of the mesh up to date, and takes messages. */
import { getJson, hasToken, Refused, useToken } from "./api.js";
import { commandFigures } from "./commands.js";
import { startAfresh, take } from "./conversation.js";
import { byId, dot, element, show } from "./dom.js";
import { agentItem, healthLines, serviceItem } from "./mesh.js";

const LOOK_MS = 5_000;
const MOST_STARTS = 3;

const message = byId("message");
const tokenForm = byId("token-form");

/** @param {string} text */
function propose(text) {
  message.value = text;
  message.focus();
}

/** Something to begin with: a click asks it. @param {{examples?: string[]}} service */
function start({ examples: [text] = [] }) {
  return text ? [element("button", { type: "button", click: () => take(text) }, text)] : [];
}

/** What the API tells, or why it does not. @param {string} path @returns {Promise<{told?: any, status: number}>} */
async function asked(path) {
  try {
    return { told: await getJson(path), status: 200 };
  } catch (error) {
    return { status: error instanceof Refused ? error.status : 0 };
  }
}

async function look() {
  const [readyz, agents, services, models] = await Promise.all(
    ["/readyz", "/api/v1/agents", "/api/v1/services", "/api/v1/chat/models"].map(asked),
  );
  const ready = readyz.status === 200 && readyz.told?.store !== "away";
  const gateway = readyz.status === 0 ? {} : { ready, edition: readyz.told?.edition };
  const unknown = agents.status === 401;
  tokenForm.hidden = !unknown;
  if (unknown && hasToken()) byId("token-title").textContent = "The token does not count";
  show(byId("state"), stateOf(gateway, agents.told?.agents));
  show(byId("health"), healthLines({ gateway, agents: agents.told?.agents, models: models.told }));
  const hidden = [
    element("li.hint", {}, unknown ? "Told to callers with a token." : "The gateway does not tell."),
  ];
  show(byId("agents"), agents.told?.agents.map(agentItem) ?? hidden);
  show(
    byId("services"),
    services.told?.services.map((one) => serviceItem(one, propose)) ??
      hidden.map((one) => one.cloneNode(true)),
  );
  show(byId("starts"), (services.told?.services ?? []).flatMap(start).slice(0, MOST_STARTS));
  show(byId("commands"), commandFigures(services.told?.services ?? [], unknown || hasToken()));
}

/** @param {{ready?: boolean}} gateway @param {any[]} [agents] */
function stateOf({ ready }, agents = []) {
  const down = agents.filter(({ status }) => status !== "ready").map(({ name }) => name);
  if (ready === undefined) return [dot("bad"), " The gateway does not answer."];
  if (!ready)
    return [dot("bad"), " The gateway takes no work: Redis does not answer, or it is shutting down."];
  if (down.length > 0) return [dot("warn"), ` The gateway is ready; not ready: ${down.join(", ")}.`];
  return [dot("ok"), agents.length > 0 ? " Everything is ready." : " The gateway is ready."];
}

byId("ask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = message.value.trim();
  if (text !== "" && take(text)) message.value = "";
});

message.addEventListener("keydown", (event) => {
  // Enter may also choose a letter of an input method.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId("ask-form").requestSubmit();
});

byId("fresh").addEventListener("click", (event) => {
  startAfresh();
  event.currentTarget.hidden = true;
  message.focus();
});

tokenForm.addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(byId("token").value);
  byId("token").value = "";
  void look();
});

/** Nobody looks at a page that is hidden. */
const lookIfSeen = () => (document.hidden ? undefined : look());
document.addEventListener("visibilitychange", lookIfSeen);
setInterval(lookIfSeen, LOOK_MS);
await look();
