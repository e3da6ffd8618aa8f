import { ok } from "node:assert/strict";
import { say } from "../cli/src/console.ts";
import type { ComposeProject } from "./docker.ts";

const MB = 1e6;
/** What an image may add to its base. */
const MOST_BYTES = 60 * MB;
/** With the database that bills are asked in. */
const MOST_BYTES_WITH_DATABASE = 130 * MB;
/** A program of others, with a configuration. */
const NOT_OURS = /\/balancer:/;
const WITH_DATABASE = /\/(cost|savings):/;
/** The first of our instructions that makes a layer. */
const FIRST = /^WORKDIR \/app\b/;

/** Weighs the layers that each image has above its base. */
export async function layersAreSmall(project: ComposeProject, pattern: string): Promise<void> {
  const names = (await project.images(pattern)).filter((name) => !NOT_OURS.test(name));
  ok(names.length > 0, "no image was built");
  const tooLarge: string[] = [];
  for (const name of names) {
    const bytes = await bytesAboveBase(project, name);
    const told = `${name.replace(/:.*/, "")}: ${(bytes / MB).toFixed(1)} MB`;
    say(told);
    if (bytes > (WITH_DATABASE.test(name) ? MOST_BYTES_WITH_DATABASE : MOST_BYTES)) tooLarge.push(told);
  }
  ok(tooLarge.length === 0, tooLarge.join(", "));
}

async function bytesAboveBase(project: ComposeProject, name: string): Promise<number> {
  const format = "{{.Size}} {{.CreatedBy}}";
  const history = await project.docker("history", "--human=false", "--no-trunc", "--format", format, name);
  const layers = history.split("\n").map((line) => {
    const [size = "", ...instruction] = line.split(" ");
    return { bytes: Number(size), instruction: instruction.join(" ") };
  });
  // The latest comes first.
  const first = layers.findLastIndex(({ instruction }) => FIRST.test(instruction));
  ok(first >= 0, `${name} does not begin where it is looked for`);
  return layers.slice(0, first + 1).reduce((sum, { bytes }) => sum + bytes, 0);
}
