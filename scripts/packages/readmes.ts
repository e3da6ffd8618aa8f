import { publishedName } from "./packages.ts";

/**
 * The README of each package, by its name: its section of the document, where each block of code is run by the check.
 *
 * @throws Error if a package has no section, or a section a link that leads nowhere outside of the repository
 */
export function readmes(document: string, names: readonly string[]): Map<string, string> {
  const sections = sectionsOf(document);
  return new Map(
    names.map((name) => {
      const title = publishedName(name);
      const text = sections.get(title);
      if (text === undefined) throw new Error(`docs/packages.md has no section "## ${title}".`);
      const link = /\]\((?!https:)([^)]*)\)/.exec(text)?.[1];
      if (link !== undefined)
        throw new Error(`The section of ${title} has the link ${link}, which a README cannot follow.`);
      return [name, `# ${title}\n\n${text.replaceAll(/^###/gm, "##")}\n`];
    }),
  );
}

/** The text of each section of the second level, by its heading. */
export function sectionsOf(document: string): Map<string, string> {
  const [, ...sections] = document.split(/^## /m);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end).trim(), section.slice(end).trim()];
    }),
  );
}
