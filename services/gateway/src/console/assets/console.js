/** Makes the screen that the address names. */
import { render } from "preact";
import { byId } from "./dom.js";
import { html } from "./parts.js";
import { language, t } from "./texts.js";

/** @type {Record<string, () => Promise<{List?: any, Item?: any, title?: string}>>} */
const SCREENS = {
  approvals: async () => ({
    List: (await import("./approvals.js")).Approvals,
    Item: (await import("./approval.js")).Approval,
  }),
  runs: async () => ({ List: (await import("./runs.js")).Runs, Item: (await import("./run.js")).Run }),
  conversations: async () => {
    const { Conversations } = await import("./conversations.js");
    return { List: Conversations, Item: Conversations };
  },
  operations: async () => ({ List: (await import("./operations.js")).Operations }),
  "signed-out": async () => ({ List: (await import("./signed-out.js")).SignedOut }),
};

const main = byId("main");
const [, , name = "", id] = location.pathname.split("/");
main.setAttribute("lang", language);
main.replaceChildren();
const { List, Item } = (await SCREENS[name]?.()) ?? {};
const Screen = id ? Item : List;
if (Screen) render(html`<${Screen} id=${id} />`, main);
const title = t(`nav.${name}`);
if (title !== `nav.${name}`) document.title = `${title}${id ? ` ${id.slice(0, 8)}` : ""} – Interlock`;
