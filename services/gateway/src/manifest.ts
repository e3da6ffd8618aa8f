/** What programs beside the gateway read of a manifest. */
export { checkManifest } from "./check-manifest.ts";
export { writtenManifest } from "./mesh/index.ts";
export { misspeltVariables } from "./misspelt.ts";
