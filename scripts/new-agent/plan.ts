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
  const folder = `services/${order.name}`;
  const files = filesOf(order);
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
