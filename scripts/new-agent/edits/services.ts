import type { Order } from "../order.ts";

/** scripts/lib/services.ts: the row by which `npm start` starts the agent. */
export function addToServices(text: string, { name, port, taskType, language }: Order): string {
  const last = [...text.matchAll(/^ {2}agent\(.*\),\n/gm)].at(-1);
  if (!last) throw new Error("there is no row of an agent to add another one to");
  const at = last.index + last[0].length;
  const started = language === "python" ? ', "python"' : "";
  return `${text.slice(0, at)}  agent("${name}", ${port}, "${taskType}"${started}),\n${text.slice(at)}`;
}
