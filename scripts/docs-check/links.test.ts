/** Every link of the Markdown files leads to a file of the repository, and to a heading where it names one. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../lib/paths.ts";

const FENCED = /^\s*(```|~~~)[\s\S]*?^\s*\1/gm;
const CODE = /`[^`\n]*`/g;
const LINK = /\]\(([^)\s]+)\)/g;

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], { cwd: root })
  .toString()
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(root, file)));

const proseOf = (markdown: string) => markdown.replace(FENCED, "");

/** The links of a text that lead nowhere. @param file where the text is, relative to the root */
function brokenLinks(file: string, markdown: string): string[] {
  const links = [...proseOf(markdown).replace(CODE, "").matchAll(LINK)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^\w+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(root, target))) return true;
    if (anchor === undefined || !target.endsWith(".md")) return false;
    const text = target === file ? markdown : readFileSync(join(root, target), "utf8");
    return !anchorsOf(text).has(anchor);
  });
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...proseOf(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/\]\([^)]*\)/g, "")
        .replace(/[^\p{L}\p{N}_\s-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test.each(files)("%s", (file) => {
  expect(brokenLinks(file, readFileSync(join(root, file), "utf8"))).toEqual([]);
});

test("links to files and headings that do not exist are found", () => {
  const text =
    "# A heading\n[a](#a-heading) [b](#none) [c](README.md) [d](none.md) [e](docs/chat.md#none) `[f](none)`";
  expect(brokenLinks("README.md", text)).toEqual(["#none", "none.md", "docs/chat.md#none"]);
});
