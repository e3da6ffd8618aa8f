import { urlProblem } from "../egress/index.ts";
import type { Mesh } from "./model.ts";

/** Whether callers may have push notifications sent there, as far as that can be known without resolving the name. */
export function mayPush(url: string, { peers, egress }: Pick<Mesh, "peers" | "egress">): boolean {
  const place = URL.parse(url);
  if (!place || !/^https?:$/.test(place.protocol)) return false;
  return peers.a2a?.pushTo?.lists(place.hostname) === true && urlProblem(url, egress) === undefined;
}
