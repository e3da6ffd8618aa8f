import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../npm.ts";
import type { Stranger } from "./stranger.ts";

const STRICT = {
  target: "es2024",
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  // Our declarations, and those of what they depend on, are checked too.
  skipLibCheck: false,
};

export const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

export type Resolution = keyof typeof RESOLUTIONS;

/**
 * Checks the types of a sample as strictly as TypeScript can. The sample has wrong calls that must be refused.
 *
 * @param platform compiler options that say where the code runs
 * @param compiler the folder of the project that has TypeScript
 */
export async function checkTypes(
  stranger: Stranger,
  sample: string,
  { resolution, platform, compiler }: { resolution: Resolution; platform: object; compiler: string },
): Promise<void> {
  stranger.write(sample, readFileSync(join(import.meta.dirname, "samples", sample), "utf8"));
  const config = {
    compilerOptions: { ...STRICT, ...RESOLUTIONS[resolution], ...platform },
    files: [sample],
  };
  const file = `tsconfig.${resolution}.json`;
  stranger.write(file, JSON.stringify(config));
  const tsc = join(compiler, "node_modules/typescript/bin/tsc");
  await run("node", [tsc, "-p", file, "--pretty", "false"], { cwd: stranger.folder, env: stranger.env });
}
