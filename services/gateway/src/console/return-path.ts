const HERE = "http://here.invalid";

/**
 * Where somebody goes after signing in: a page of this gateway, or the first one for anything else. An address that a browser could take for
 * another site's is none of ours.
 */
export function returnPath(text: string | undefined): string {
  // Browsers drop tabs and newlines, and take a backslash for a slash.
  if (text === undefined || !/^\/(?![/\\])[^\\\s]*$/.test(text) || text.length > MOST) return "/";
  const url = URL.parse(text, HERE);
  if (url?.origin !== HERE) return "/";
  const isPage = url.pathname === "/" || /^\/(?:console|docs)\//.test(url.pathname);
  return isPage ? `${url.pathname}${url.search}${url.hash}` : "/";
}

const MOST = 2_000;
