import { type Misspelt, misspeltSettings } from "@interlock/contracts/settings";
import { writtenManifest } from "./mesh/index.ts";

const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)/g;

/** Variables of the environment that are nearly a setting, or nearly a variable of the manifest. */
export function misspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  meshFile: string,
): Misspelt[] {
  return misspeltSettings(env, variablesIn(meshFile));
}

/** A manifest that cannot be read is refused elsewhere. */
function variablesIn(meshFile: string): string[] {
  try {
    return Array.from(JSON.stringify(writtenManifest(meshFile)).matchAll(VARIABLE), ([, name = ""]) => name);
  } catch {
    return [];
  }
}
