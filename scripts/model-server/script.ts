import { readFileSync } from "node:fs";
import { saying } from "./behaviour.ts";

/** What a scripted server answers to a message; undefined: the script has no line for it. */
export type Script = (request: { model: string; lastMessage: string }) => string | undefined;

type Line = { model?: string; hears: string; says?: unknown; does?: string };

/**
 * Reads a script, JSON Lines of `{hears, says?, does?, model?}`. A line answers the requests whose last message has the text `hears`, and the
 * first such line counts: with `says`, a text or an object, and in the way of `does`, behaviours as the name of a model has them.
 */
export function readScript(file: string): Script {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line);
  return ({ model, lastMessage }) => {
    const line = lines.find(
      (one) => lastMessage.includes(one.hears) && (one.model === undefined || one.model === model),
    );
    if (!line) return undefined;
    const { says, does } = line;
    const text = typeof says === "string" ? says : JSON.stringify(says);
    return [...(says === undefined ? [] : [saying(text)]), ...(does === undefined ? [] : [does])].join("+");
  };
}
