import type { Caller } from "../../caller.ts";
import type { PeerDeps } from "../peer.ts";

/** What clients show beside the messages: what a conversation's flow has understood, by slot. */
export type State = { slots: Readonly<Record<string, unknown>> };

/** An operation of JSON Patch (RFC 6902). */
export type Patch = { op: "add" | "replace" | "remove"; path: string; value?: unknown };

/** The state of a conversation, which may not have begun. @throws GatewayError not_found: it is somebody else's */
export async function stateOf(
  caller: Caller,
  sessionId: string,
  { sessions, talks }: Pick<PeerDeps, "sessions" | "talks">,
): Promise<State> {
  // Where no flow is asked in words, nothing is ever understood by slots.
  if (talks.length === 0) return { slots: {} };
  const working = await sessions.working(caller, sessionId);
  return { slots: { ...working?.slots } };
}

/** What changes one state into another; empty where nothing does. */
export function changesOf({ slots: before }: State, { slots: after }: State): Patch[] {
  const pathOf = (name: string) => `/slots/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const removed = Object.keys(before).flatMap((name): Patch[] =>
    Object.hasOwn(after, name) ? [] : [{ op: "remove", path: pathOf(name) }],
  );
  const changed = Object.entries(after).flatMap(([name, value]): Patch[] => {
    if (!Object.hasOwn(before, name)) return [{ op: "add", path: pathOf(name), value }];
    const isSame = JSON.stringify(before[name]) === JSON.stringify(value);
    return isSame ? [] : [{ op: "replace", path: pathOf(name), value }];
  });
  return [...removed, ...changed];
}
