/**
 * An element. Strings become text, whatever is in them; nothing here makes markup of what came from outside.
 * @param {string} name, perhaps with a class: `p.note`
 * @param {Record<string, unknown>} [attributes] functions listen
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(attribute, value);
    else if (value !== undefined) made.setAttribute(attribute, String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`#${id} is not there`);
  return found;
}

/**
 * Replaces what is in an element, unless it would look the same: so that focus and selections last.
 * @param {HTMLElement} holder @param {(Node | string)[]} wanted
 */
export function show(holder, wanted) {
  const children = wanted.map((one) => (typeof one === "string" ? document.createTextNode(one) : one));
  const { childNodes } = holder;
  const same =
    childNodes.length === children.length &&
    children.every((child, index) => child.isEqualNode(childNodes[index]));
  if (!same) holder.replaceChildren(...children);
}

/** What a dot says is also said in words. @param {"ok" | "warn" | "bad" | "idle" | "busy"} tone */
export const dot = (tone) => element(`span.dot.${tone}`, { "aria-hidden": "true" });

/** A moment, as the reader's clock has it. @param {string} iso */
export function moment(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  const shown = at.toLocaleString(
    "en-GB",
    today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" },
  );
  return element("time", { datetime: iso }, shown);
}
