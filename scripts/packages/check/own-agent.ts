import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/paths.ts";
import { type Order, readOrder } from "../../new-agent/order.ts";
import { changesFor } from "../../new-agent/plan.ts";
import { readRepository } from "../../new-agent/repository.ts";
import { filesOf } from "../../new-agent/templates.ts";
import type { Stranger } from "./stranger.ts";

/** An agent in a repository of its own, as `new:agent --standalone` makes it, and a mesh's manifest that has it. */
export interface OwnAgent {
  readonly order: Order;
  /** The path of the manifest. */
  readonly manifest: string;
}

/** @param folder where the manifest goes; this repository's stays as it is */
export function makeOwnAgent(stranger: Stranger, folder: string, port: number): OwnAgent {
  const repository = readRepository(root);
  const order = readOrder(
    ["stranger-words", "--standalone", stranger.folder, "--port", String(port)],
    repository.taken,
  );
  const { files, edits } = changesFor(order, repository);
  for (const [file, text] of files) stranger.write(file, text);
  mkdirSync(folder);
  // The manifest names files beside it.
  symlinkSync(join(root, "services"), join(folder, "services"));
  const manifest = join(folder, "mesh.yaml");
  writeFileSync(manifest, edits[0]?.after ?? "");
  return { order, manifest };
}

/** The same project with an agent that holds a dialogue, whose tests are others. */
export function makeDialogue(stranger: Stranger, { order }: OwnAgent): void {
  const dialogue = { ...order, dialogue: true, taskType: `${order.taskType}_TURN` };
  for (const [file, text] of filesOf(dialogue))
    if (file.startsWith("src/")) stranger.write(file.replace("src/", "dialogue/"), text);
}
