import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { root } from "../lib/paths.ts";
import { problemsOf } from "./check/contents.ts";
import { blocksToRun, expectLike, type Place, runBlocks } from "./check/document.ts";
import { published, readManifest } from "./manifest.ts";
import type { Tarball } from "./pack.ts";
import { PACKAGES, type Package } from "./packages.ts";
import { readmes } from "./readmes.ts";
import { releaseProblems } from "./release.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-packages-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content: string | object): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
}

describe("a tarball", () => {
  const entry: Package = { folder: "services/client", data: [] };
  const project = readManifest(root);
  const own = readManifest(join(root, entry.folder));
  const FILES = [
    "package.json",
    "README.md",
    "LICENSE",
    "dist/index.js",
    "dist/index.js.map",
    "dist/index.d.ts",
  ];

  beforeEach(() => {
    write("package.json", published(own, entry, project, undefined));
    for (const file of ["README.md", "LICENSE", "dist/index.d.ts"]) write(file, "text");
    write("dist/index.js", "export {};\n//# sourceMappingURL=index.js.map");
    write("dist/index.js.map", { sources: ["../src/index.ts"], sourcesContent: ["export {};"] });
  });

  function problems(files: readonly string[] = FILES, size = 1000): string[] {
    const tarball: Tarball = { name: own.name, version: own.version, file: "", unpackedSize: 0, files, size };
    return problemsOf(entry, tarball, folder);
  }

  test("of a whole package has no problems", () => expect(problems()).toEqual([]));

  const manifest = () => published(own, entry, project, undefined);

  test.each<[what: string, file: string, content: () => string | object, problem: string]>([
    ["a test", "dist/a.test.d.ts", () => "", "dist/a.test.d.ts is a test"],
    ["a source", "src/index.ts", () => "", "src/index.ts does not belong into it"],
    ["another version", "package.json", () => ({ ...manifest(), version: "9.9.9" }), "its version is 9.9.9"],
    [
      "the mark of a private package",
      "package.json",
      () => ({ ...manifest(), private: true }),
      "it is private",
    ],
    ["a path of this machine", "dist/index.d.ts", () => `"${root}"`, "dist/index.d.ts has a path"],
    ["a map without sources", "dist/index.js.map", () => ({ sources: ["a"] }), "does not hold its sources"],
    ["a module without a map", "dist/index.js", () => "export {};", "dist/index.js has no source map"],
  ])("with %s is refused", (_what, file, content, problem) => {
    write(file, content());
    expect(problems([...new Set([...FILES, file])])).toEqual([expect.stringContaining(problem)]);
  });

  test("without its README, or with too much, is refused", () => {
    rmSync(join(folder, "README.md"));
    expect(problems(FILES.filter((file) => file !== "README.md"))).toEqual(["README.md is missing"]);
    write("README.md", "text");
    expect(problems(FILES, 10_000_000)).toEqual(["it has 10000000 bytes: more than 250000"]);
  });
});

describe("the manifest that is published", () => {
  const project = readManifest(root);
  const conformance = PACKAGES.conformance as Package;
  const own = readManifest(join(root, conformance.folder));

  test("exports compiled files, and depends on the others by the one version", () => {
    expect(published(own, conformance, project, "git+https://example.com/a.git")).toMatchObject({
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
      bin: { "interlock-conformance": "dist/main.js" },
      dependencies: { "@interlock/contracts": project.version },
      repository: { url: "git+https://example.com/a.git", directory: "scripts/conformance" },
      publishConfig: { access: "public", provenance: true },
    });
  });

  test("names no repository of its own accord", () => {
    expect(published(own, conformance, project, undefined)).not.toHaveProperty("repository");
  });

  test("is refused for a package of another version", () => {
    expect(() => published({ ...own, version: "0.0.9" }, conformance, project, undefined)).toThrow(
      "scripts/conformance/package.json has version 0.0.9",
    );
  });
});

describe("the document", () => {
  const SECTIONS = "# Packages\n\n## @interlock/a\n\nOne.\n\n### Use\n\n## @interlock/b\n\nTwo.\n";

  test("gives each package its section as README", () => {
    expect(readmes(SECTIONS, ["a", "b"])).toEqual(
      new Map([
        ["a", "# @interlock/a\n\nOne.\n\n## Use\n"],
        ["b", "# @interlock/b\n\nTwo.\n"],
      ]),
    );
  });

  test("is refused without a section, and with a link that a README cannot follow", () => {
    expect(() => readmes(SECTIONS, ["c"])).toThrow('has no section "## @interlock/c"');
    expect(() => readmes("## @interlock/a\n[b](client.md)\n", ["a"])).toThrow("has the link client.md");
  });

  test("has blocks that are files, commands and their output", async () => {
    const text = [
      "`a.mjs`:\n\n<!-- file: a.mjs -->\n```js\nsay(8080)\n```\n",
      "```sh\nnode a.mjs\n```\n```text\nsaid 80…\n…\nend\n```\n",
      "<!-- in a second terminal -->\n```sh\nnode server.mjs\n```\n",
      "```sh\nnpm install @interlock/a\n```\n",
    ].join("\n");
    const done: string[] = [];
    const place: Place = {
      here: { 8080: "8099" },
      write: (file, code) => void done.push(`${file}: ${code}`),
      async run(command) {
        done.push(`run ${command}`);
        return "said 8099\nmore\nlines\nend\n";
      },
      start: async (command) => void done.push(`start ${command}`),
      installed: (packages) => void done.push(`installed ${packages}`),
    };
    expect(await runBlocks(text, place)).toBe(blocksToRun(text).length);
    expect(done).toEqual([
      "a.mjs: say(8099)\n",
      "run node a.mjs\n",
      "start node server.mjs",
      "installed @interlock/a",
    ]);
  });

  test("is refused where a command prints something else", () => {
    expect(() => expectLike("a\nb\n", "a\n…\nb\n")).not.toThrow();
    expect(() => expectLike("a\nb\n", "a\n")).toThrow("The document says:\na\n\nIt prints:\na\nb");
    expect(() => expectLike("a.c\n", "abc\n")).toThrow();
    expect(() => expectLike("abc\n", "a.c\n")).toThrow();
  });
});

describe("a release", () => {
  const { version } = readManifest(root);
  beforeEach(() => {
    for (const { folder: own } of Object.values(PACKAGES))
      cpSync(join(root, own, "package.json"), join(folder, own, "package.json"));
    for (const file of ["package.json", "Dockerfile"]) cpSync(join(root, file), join(folder, file));
    write("CHANGELOG.md", `# Changelog\n\n## [${version}] - 2026-01-01\n`);
  });

  test("has the tag of its version", () => {
    expect(releaseProblems(`v${version}`, folder)).toEqual([]);
    expect(releaseProblems("v9.9.9", folder)).toEqual([
      `The tag is v9.9.9, the version ${version}: v${version} is its tag.`,
    ]);
  });

  test("is in the changelog, and one for all packages and images", () => {
    write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n");
    const client = JSON.parse(readFileSync(join(folder, "services/client/package.json"), "utf8"));
    write("services/client/package.json", { ...client, version: "0.0.9" });
    write("Dockerfile", "ARG VERSION=0.0.9\n");
    expect(releaseProblems(`v${version}`, folder)).toEqual([
      expect.stringContaining("services/client/package.json has version 0.0.9"),
      expect.stringContaining("CHANGELOG.md has no section"),
      expect.stringContaining("Dockerfile"),
    ]);
  });
});
