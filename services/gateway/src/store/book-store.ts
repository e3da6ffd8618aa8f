import type { Keys } from "./keys.ts";
import type { PageCursor } from "./page.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script, words } from "./script.ts";

/** An entry of a book as the publish step wrote it: JSON, which may be large. */
export type StoredBookEntry = { place: PageCursor; text: string };

/** The decision in an approval's record, as far as it is known. */
export type BookedApproval = { requestedBy?: string; hash?: string; winner?: string };

/** Bytes after which a page takes no more entries. A single entry, which holds one publication, may be larger. */
const PAGE_BYTES = 512 * 1024;

/** Reads what publish steps wrote. Only the commit of a run writes it (EventLog). */
export class BookStore {
  readonly #redis: RedisClient;
  readonly #read = new Script("book");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Newest first, and fewer than `limit` where they are large. @throws GatewayError store_unavailable */
  async page(
    keys: Keys,
    book: string,
    { limit, behind }: { limit: number; behind?: PageCursor | undefined },
  ): Promise<{ entries: StoredBookEntry[]; next?: PageCursor }> {
    const from = behind ? `${behind.score}-${behind.id}` : "";
    const answer = words(
      await guarded(() => this.#read.run(this.#redis, [keys.book(book)], [from, PAGE_BYTES, limit])),
    );
    const entries = words(answer[0]).map(entryOf);
    const last = entries.at(-1);
    return last && answer[1] === 1 ? { entries, next: last.place } : { entries };
  }

  /** When publish steps took effect, in milliseconds and in their order; undefined for one that did not. */
  async publishedAt(
    keys: Keys,
    steps: readonly { runId: string; step: string }[],
  ): Promise<(number | undefined)[]> {
    if (steps.length === 0) return [];
    const names = steps.map(({ runId, step }) => `${runId}:${step}`);
    const places = await guarded(() => this.#redis.hmget(keys.effects, ...names));
    return places.map((place) => (place ? Number(place.split("-")[0]) : undefined));
  }

  /** Those of the approvals that are kept, without their proposals. */
  async approvals(keys: Keys, ids: readonly string[]): Promise<ReadonlyMap<string, BookedApproval>> {
    const read = async (id: string): Promise<[string, BookedApproval]> => {
      const [by, hash, winner] = await this.#redis.hmget(keys.approval(id), "requested_by", "hash", "winner");
      return [
        id,
        { ...(by ? { requestedBy: by } : {}), ...(hash ? { hash } : {}), ...(winner ? { winner } : {}) },
      ];
    };
    return new Map(await guarded(() => Promise.all(ids.map(read))));
  }
}

function entryOf(entry: unknown): StoredBookEntry {
  const [id, fields] = words(entry);
  const [score = "", sequence = ""] = String(id).split("-");
  const [, , , text] = words(fields);
  return { place: { score: Number(score), id: sequence }, text: String(text) };
}
