const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g;

/** Replaces `${NAME}` and `${NAME:-default}` outside of comments. */
export function substitute(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): { text: string; problems: string[] } {
  const problems: string[] = [];
  const lines = text.split("\n").map((line) => {
    if (line.trimStart().startsWith("#")) return line;
    return line.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
      const value = env[name] || fallback;
      if (value === undefined) problems.push(`the variable ${name} is not set and has no default`);
      return value ?? "";
    });
  });
  return { text: lines.join("\n"), problems };
}
