import { readFileSync } from "node:fs";
import { calling, saying } from "./behaviour.ts";
import type { ChatRequest } from "./completion.ts";

/** What a scripted server answers to a message; undefined: the script has no line for it. */
export type Script = (
  request: Pick<ChatRequest, "model" | "lastMessage" | "userMessage" | "round">,
) => string | undefined;

type Line = {
  model?: string;
  hears: string;
  round?: number;
  calls?: { name: string; arguments: object }[];
  says?: unknown;
  does?: string;
};

/**
 * Reads a script, JSON Lines of `{hears, round?, calls?, says?, does?, model?}`. A line answers the requests whose last message has the text
 * `hears`, and the first such line counts: with `says`, a text or an object, and in the way of `does`, behaviours as the name of a model has
 * them. With `round`, it answers the so many-th request about a message of the user that has the text, and `calls` are the tools it wants.
 */
export function readScript(file: string): Script {
  return scriptOf(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as Line),
  );
}

/** The same of lines that were read. */
export function scriptOf(lines: readonly Line[]): Script {
  return ({ model, lastMessage, userMessage, round }) => {
    const line = lines.find(
      (one) =>
        (one.round === undefined
          ? lastMessage.includes(one.hears)
          : one.round === round && userMessage.includes(one.hears)) &&
        (one.model === undefined || one.model === model),
    );
    if (!line) return undefined;
    const { calls, says, does } = line;
    const text = typeof says === "string" ? says : JSON.stringify(says);
    return [
      ...(calls ? [calling(calls)] : []),
      ...(says === undefined ? [] : [saying(text)]),
      ...(does === undefined ? [] : [does]),
    ].join("+");
  };
}
