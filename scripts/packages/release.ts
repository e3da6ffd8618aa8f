/** `npm run -s release:check -- TAG`: whether this version may be released under the tag, e.g. v0.1.0. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, say } from "../cli/src/console.ts";
import { root } from "../lib/paths.ts";
import { readManifest } from "./manifest.ts";
import { PACKAGES } from "./packages.ts";

/** What speaks against it, in words. */
export function releaseProblems(tag: string, repository = root): string[] {
  const text = (file: string) => readFileSync(join(repository, file), "utf8");
  const { version } = readManifest(repository);
  const folders = Object.values(PACKAGES).map(({ folder }) => folder);
  const others = folders.flatMap((folder) => {
    const own = readManifest(join(repository, folder)).version;
    return own === version ? [] : [`${folder}/package.json has version ${own}, the project ${version}.`];
  });
  return [
    ...(tag === `v${version}`
      ? []
      : [`The tag is ${tag || "missing"}, the version ${version}: v${version} is its tag.`]),
    ...others,
    ...(text("CHANGELOG.md").includes(`\n## [${version}] - `)
      ? []
      : [`CHANGELOG.md has no section "## [${version}] - DATE".`]),
    ...(text("Dockerfile").includes(`\nARG VERSION=${version}\n`)
      ? []
      : [`Dockerfile labels images with another version than ${version}.`]),
  ];
}

function main(): void {
  const tag = process.argv[2] ?? "";
  const problems = releaseProblems(tag);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  say(`${tag} can be released.`);
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    fail(error);
  }
}
