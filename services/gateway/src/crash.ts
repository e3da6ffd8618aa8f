import { describeError } from "./http/index.ts";

const FRAME = /^ {4}at /;

/**
 * What the output of a crash may hold: name, code and places. The message and the other properties of an error may quote what a command
 * was sent with, such as the password of the store.
 */
export function describeCrash(error: unknown): string {
  const stack = Error.isError(error) && typeof error.stack === "string" ? error.stack : "";
  const message = Error.isError(error) ? error.message : "";
  const frames = stack.slice(stack.indexOf(message) + message.length).split("\n");
  return [describeError(error), ...frames.filter((line) => FRAME.test(line))].join("\n");
}
