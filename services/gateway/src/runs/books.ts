import type { BookEntry } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access } from "../identity/index.ts";
import { JsonText } from "../json-text.ts";
import {
  type BookedApproval,
  type BookStore,
  keysOf,
  type PageCursor,
  type StoredBookEntry,
  type Winner,
} from "../store/index.ts";

/** An entry whose payload stays the text that was written, however large it is. */
export type ReadEntry = Omit<BookEntry, "payload"> & { payload: JsonText };

/** An entry without its payload; those of before there was a mark have neither `requested_by` nor `sample`. */
type Head = {
  run_id: string;
  step: string;
  approval_id: string | null;
  approved_by: string | null;
  requested_by?: string;
  sample?: boolean;
};

/** How the payload begins, the last member of an entry. No JSON string can hold it: a quote in one is escaped. */
const PAYLOAD = ',"payload":';

/** What publish steps wrote to the books of a tenant. */
export class Books {
  readonly #store: BookStore;
  readonly #access: Access;

  constructor(store: BookStore, access: Access) {
    this.#store = store;
    this.#access = access;
  }

  /**
   * A page of the book, newest first.
   * @throws GatewayError forbidden, store_unavailable
   */
  async read(
    caller: Caller,
    book: string,
    page: { limit: number; behind: PageCursor | undefined },
  ): Promise<{ entries: ReadEntry[]; next?: PageCursor }> {
    if (!this.#access.may(caller, "view", { kind: "book", name: book }))
      throw new GatewayError("forbidden", `You may not read the book "${book}".`, { extra: { book } });
    const keys = keysOf(caller.tenant);
    const { entries, ...next } = await this.#store.page(keys, book, page);
    const split = entries.map(splitEntry);
    const asked = split.flatMap(({ head }) => head.approval_id ?? []);
    const approvals = await this.#store.approvals(keys, [...new Set(asked)]);
    return { entries: split.map((entry) => viewOf(entry, approvals)), ...next };
  }
}

type Split = { place: PageCursor; head: Head; payload: JsonText };

/** Parses what is small of an entry. */
function splitEntry({ place, text }: StoredBookEntry): Split {
  const at = text.indexOf(PAYLOAD);
  if (at < 0) return { place, head: JSON.parse(text) as Head, payload: new JsonText("null") };
  const head = JSON.parse(`${text.slice(0, at)}}`) as Head;
  return { place, head, payload: new JsonText(text.slice(at + PAYLOAD.length, -1)) };
}

function viewOf({ place, head, payload }: Split, approvals: ReadonlyMap<string, BookedApproval>): ReadEntry {
  const { run_id, step, approval_id: id, approved_by, sample } = head;
  const kept = id === null ? undefined : approvals.get(id);
  const requestedBy = head.requested_by ?? kept?.requestedBy;
  return {
    id: `${place.score}-${place.id}`,
    published_at: new Date(place.score).toISOString(),
    run_id,
    step,
    ...(requestedBy === undefined ? {} : { requested_by: requestedBy }),
    ...(sample === undefined ? {} : { sample }),
    approval: id === null ? null : approvalOf(id, approved_by, kept),
    payload,
  };
}

function approvalOf(id: string, by: string | null, kept: BookedApproval = {}): BookEntry["approval"] {
  const winner = kept.winner === undefined ? undefined : (JSON.parse(kept.winner) as Winner);
  return {
    id,
    decided_by: by ?? "",
    ...(winner ? { decided_at: winner.at } : {}),
    ...(kept.hash === undefined ? {} : { proposal_hash: kept.hash }),
  };
}
