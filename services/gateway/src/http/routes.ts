import { GatewayError } from "../errors.ts";

type Methods<H> = { readonly get?: H; readonly post?: H };
type Route<H> = { readonly methods: Methods<H>; readonly allow: string };
export type Found<H> = { readonly handler: H; readonly id: string };

const ID = ":id";

/**
 * Paths and what they do, method by method. A map and a few patterns rather than a library: the paths are few and fixed, with one
 * `:id` at most, and a library that matches them as fast decodes paths and refuses methods in ways that would have to be undone here.
 *
 * A path matches in any case and with or without a slash at its end.
 */
export class Routes<H> {
  /** Nearly every request is found here. */
  readonly #asWritten = new Map<string, Route<H>>();
  readonly #patterns: { readonly pattern: RegExp; readonly route: Route<H> }[] = [];

  constructor(prefix: string, table: Readonly<Record<string, Methods<H>>>) {
    for (const [path, methods] of Object.entries(table)) {
      const allow = [...(methods.get ? ["GET", "HEAD"] : []), ...(methods.post ? ["POST"] : [])].join(", ");
      const route = { methods, allow };
      if (!path.includes(ID)) this.#asWritten.set(prefix + path, route);
      this.#patterns.push({
        pattern: new RegExp(`^${prefix}${path.replace(ID, "([^/]+)")}/?$`, "i"),
        route,
      });
    }
  }

  /** @throws GatewayError not_found; method_not_allowed, with those that the path has */
  find(method: string | undefined, path: string): Found<H> {
    const route = this.#asWritten.get(path);
    if (route) return { handler: handlerOf(route, method), id: "" };
    for (const { pattern, route } of this.#patterns) {
      const match = pattern.exec(path);
      if (match) {
        const id = decoded(match[1] ?? "");
        return { handler: handlerOf(route, method), id };
      }
    }
    throw new GatewayError("not_found");
  }
}

function handlerOf<H>({ methods, allow }: Route<H>, method: string | undefined): H {
  const handler =
    method === "POST" ? methods.post : method === "GET" || method === "HEAD" ? methods.get : undefined;
  if (handler === undefined) throw new GatewayError("method_not_allowed", undefined, { headers: { allow } });
  return handler;
}

/** @throws GatewayError not_found: a malformed id can name nothing */
function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw new GatewayError("not_found", undefined, { cause: error });
  }
}
