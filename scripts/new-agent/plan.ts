import { resolve } from "node:path";
import { addToCompose } from "./edits/compose.ts";
import { addToDockerfile } from "./edits/dockerfile.ts";
import { addToLint } from "./edits/lint.ts";
import { addToLock, type PackageFile } from "./edits/lock.ts";
import { addToManifest } from "./edits/manifest.ts";
import type { Order } from "./order.ts";
import { FILES, type Repository, type Texts } from "./repository.ts";
import { filesOf } from "./templates.ts";
import type { Changes } from "./write.ts";

type Edits = { readonly [Name in keyof Texts]?: (text: string) => string };

/** All that an agent changes, worked out before anything is written. @throws where a file cannot be edited */
export function changesFor(order: Order, { texts, last }: Repository): Changes {
  const files = filesOf(order);
  if (order.standalone !== undefined) return standalone(order.standalone, order, files, texts.manifest);
  const folder = `services/${order.name}`;
  const packageText = files.get("package.json");
  const edits: Edits = {
    manifest: (text) => addToManifest(text, order),
    compose: (text) => addToCompose(text, order, last),
    // An agent in another language is no package, and has an image of its own.
    ...(packageText === undefined ? {} : packageEdits(order, folder, packageText)),
  };
  return {
    folder,
    files,
    edits: NAMES.flatMap((name) => {
      const change = edits[name];
      return change
        ? [{ file: FILES[name], before: texts[name], after: edited(FILES[name], texts[name], change) }]
        : [];
    }),
    ...(packageText === undefined
      ? {}
      : { link: { path: `node_modules/@interlock/${order.name}`, target: `../../${folder}` } }),
  };
}

/** Of this repository, only the manifest learns of an agent that lives elsewhere. */
function standalone(
  folder: string,
  order: Order,
  files: ReadonlyMap<string, string>,
  before: string,
): Changes {
  const after = edited(FILES.manifest, before, (text) => addToManifest(text, order));
  return { folder: resolve(folder), files, edits: [{ file: FILES.manifest, before, after }] };
}

const NAMES = ["manifest", "compose", "dockerfile", "lint", "lock"] as const;

function packageEdits(order: Order, folder: string, packageText: string): Edits {
  return {
    dockerfile: (text) => addToDockerfile(text, order),
    lint: (text) => addToLint(text, order),
    lock: (text) => addToLock(text, folder, JSON.parse(packageText) as PackageFile),
  };
}

function edited(file: string, text: string, change: (text: string) => string): string {
  try {
    return change(text);
  } catch (error) {
    throw new Error(
      `${file} cannot be edited: ${Error.isError(error) ? error.message : error}. Nothing was changed.`,
    );
  }
}
