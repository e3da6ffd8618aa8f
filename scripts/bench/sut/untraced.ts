/**
 * Loaded before a gateway by `--import`: takes tracing out of its sources as they are read, so that the bench can compare a gateway that
 * exports nothing with one that could not.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { withoutTracing } from "./without-tracing.ts";

registerHooks({
  load(url, context, next) {
    if (!/\/services\/gateway\/src\/.*\.ts$/.test(url) || url.includes("/telemetry/"))
      return next(url, context);
    const source = withoutTracing(readFileSync(fileURLToPath(url), "utf8"));
    return { format: "module-typescript", source, shortCircuit: true };
  },
});
