import { createHash } from "node:crypto";
import type { Notice, PushPlace } from "../store/index.ts";

/** A notice for one receiver. Ids and states, never a proposal: BullMQ stores it in clear text. */
export type Delivery = {
  tenant: string;
  /** The receiver's name in the manifest; TASKS for a receiver that a caller has named for a task. */
  webhook: string;
  notice: Notice;
  push?: PushPlace;
};

/** Stands for the receivers of all tasks: as many as callers like, so their names are in no metric. */
export const TASKS = "a2a";

/** The proposal of an approval as JSON text, unless it is too long, and its hash. */
export type ProposalText = { proposal?: string; hash: string };

/** The same on every try, and on every replica. */
export function idOf({ tenant, webhook, notice: { type, run, seq }, push }: Delivery): string {
  const own = push === undefined ? [] : [push.id];
  const digest = createHash("sha256").update(JSON.stringify([tenant, webhook, type, run, seq, ...own]));
  return `msg_${digest.digest("base64url").slice(0, 32)}`;
}

/**
 * The same text on every try, but for a proposal that was edited in between. A link leads to the console and decides nothing.
 * @param about only where the manifest wants it told
 */
export function bodyOf(
  { tenant, notice }: Delivery,
  publicUrl: string | undefined,
  about: ProposalText | undefined,
): string {
  const { type, run, seq, at, approval, state } = notice;
  const screen = approval === undefined ? `/console/runs/${run}` : `/console/approvals/${approval}`;
  const text = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      ...{ tenant, run_id: run, sequence: seq },
      ...(approval === undefined ? {} : { approval_id: approval }),
      ...(state === undefined ? {} : { state }),
      ...(publicUrl === undefined ? {} : { url: new URL(screen, publicUrl).href }),
      ...(about === undefined ? {} : { proposal_hash: about.hash }),
    },
  });
  // It is JSON already, as it was hashed.
  return about?.proposal === undefined ? text : `${text.slice(0, -2)},"proposal":${about.proposal}}}`;
}
