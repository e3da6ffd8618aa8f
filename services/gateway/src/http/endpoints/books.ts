import { writeJson } from "../../json-text.ts";
import type { Mesh } from "../../mesh/index.ts";
import type { Books } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { cursorText, query } from "../query.ts";
import { sendJsonText } from "../respond.ts";
import { DEFAULT_LIMIT, LIMIT } from "./parameters.ts";

export type BookEndpointsDeps = { mesh: Mesh; books: Books };

/** The books that the manifest lets callers read, newest entry first; `next` is the `before` of the next page. */
export function bookEndpoints({ mesh, books }: BookEndpointsDeps): Endpoint[] {
  return [...mesh.endpoints].flatMap(([path, served]) =>
    served.kind !== "book"
      ? []
      : endpoint({
          method: "GET",
          path: `/api/v1/${path}`,
          query: { limit: LIMIT, before: query.cursor },
          async handler({ res, caller, query: { limit = DEFAULT_LIMIT, before } }) {
            const page = await books.read(caller, served.book, { limit, behind: before });
            // What was published may be large, and stays text.
            const entries = page.entries.flatMap((entry, index) => [
              index === 0 ? "" : ",",
              writeJson(entry),
            ]);
            const rest = page.next ? `],"next":${JSON.stringify(cursorText(page.next))}}` : "]}";
            await sendJsonText(res, `{"book":${JSON.stringify(served.book)},"entries":[`, ...entries, rest);
          },
        }),
  );
}
