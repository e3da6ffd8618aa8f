import { SCOPE } from "./packages.ts";

/** From a heading of the second level to the next one. */
const SECTION = /^## (\S+)\n(.*?)(?=^## |(?![^]))/gms;

/**
 * The README of each package, by its name: its section of the document, where each block of code is run by the check.
 *
 * @throws Error if a package has no section, or a section a link that leads nowhere outside of the repository
 */
export function readmes(document: string, names: readonly string[]): Map<string, string> {
  const sections = new Map(
    [...document.matchAll(SECTION)].map(([, title = "", text = ""]) => [title, text.trim()]),
  );
  return new Map(
    names.map((name) => {
      const title = `${SCOPE}${name}`;
      const text = sections.get(title);
      if (text === undefined) throw new Error(`docs/packages.md has no section "## ${title}".`);
      const link = /\]\((?!https:)([^)]*)\)/.exec(text)?.[1];
      if (link !== undefined)
        throw new Error(`The section of ${title} has the link ${link}, which a README cannot follow.`);
      return [name, `# ${title}\n\n${text.replaceAll(/^###/gm, "##")}\n`];
    }),
  );
}
