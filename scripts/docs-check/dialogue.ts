import { sameText } from "./text-shape.ts";

type Turn = { readonly message: string; readonly answer: string[] };
type Answer = { message?: string; next_action?: string; ui_hint?: { buttons?: string[] } };

/**
 * Holds a dialogue that a document shows with the gateway. A line `user …` is sent, the lines after it are its answer: `agent` or the
 * `next_action`, the message, and its buttons in brackets, if they are shown.
 * @returns what differs, or undefined
 */
export async function heldDifference(
  text: string,
  gateway: string,
  line: number,
): Promise<string | undefined> {
  const session = `dialogue-${line}-${Date.now().toString(36)}`;
  for (const { message, answer } of turnsOf(text)) {
    const response = await fetch(`${gateway}/v1/agent/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ message, session_id: session }),
    });
    const got = (await response.json()) as Answer;
    const wanted = answer.join("\n");
    const [label = ""] = wanted.split(/\s+/, 1);
    const buttons = wanted.includes("[") ? got.ui_hint?.buttons?.map((button) => `[${button}]`) : [];
    const said = [label === "agent" ? label : got.next_action, got.message, ...(buttons ?? [])].join(" ");
    if (!sameText(wanted.trim(), said.trim().replace(/\s+/g, " ")))
      return `wanted  ${wanted}\ngot     ${said}\nafter “${message}”`;
  }
  return undefined;
}

function turnsOf(text: string): Turn[] {
  const turns: Turn[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const message = /^user\s+(.*)$/.exec(line)?.[1];
    if (message !== undefined) turns.push({ message, answer: [] });
    else turns.at(-1)?.answer.push(line);
  }
  return turns;
}
