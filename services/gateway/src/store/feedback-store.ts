import type { FeedbackView } from "@interlock/contracts";
import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** What was said of a turn, without the words. */
export type Rating = Omit<FeedbackView, "comment">;

const DAY_S = 86_400;
/** Of a tenant, the latest: averages are made of all of them when somebody asks. */
const MOST = 10_000;
const KEPT_S = 92 * DAY_S;
const READ_AT_ONCE = 500;

/** What users say of turns; a turn has one. */
export class FeedbackStore {
  readonly #redis: RedisClient;
  readonly #put = new Script("feedback");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @throws GatewayError store_unavailable */
  async put(keys: Keys, { comment = "", ...rating }: FeedbackView): Promise<void> {
    const own = [keys.feedback, keys.ratings, keys.comments];
    const args = [rating.turn_id, JSON.stringify(rating), comment, MOST, KEPT_S];
    await guarded(() => this.#put.run(this.#redis, own, args));
  }

  /** Latest first. @throws GatewayError store_unavailable */
  async list(
    keys: Keys,
    { limit, before }: { limit: number; before?: PageCursor | undefined },
  ): Promise<{ feedback: FeedbackView[]; next?: PageCursor }> {
    return await guarded(async () => {
      const { ids, ...next } = await readPage(this.#redis, { key: keys.feedback, limit, behind: before });
      if (ids.length === 0) return { feedback: [] };
      const [ratings, comments] = await Promise.all([
        this.#redis.hmget(keys.ratings, ...ids),
        this.#redis.hmget(keys.comments, ...ids),
      ]);
      const feedback = ratings.flatMap((text, at): FeedbackView[] => {
        if (!text) return [];
        const comment = comments[at];
        return [{ ...(JSON.parse(text) as Rating), ...(comment ? { comment } : {}) }];
      });
      return { feedback, ...next };
    });
  }

  /** All that are kept, in no order. @throws GatewayError store_unavailable */
  async ratings(keys: Keys): Promise<Rating[]> {
    const ratings = new Map<string, Rating>();
    let cursor = "0";
    do {
      const [next, page] = await guarded(() =>
        this.#redis.hscan(keys.ratings, cursor, "COUNT", READ_AT_ONCE),
      );
      for (let at = 0; at + 1 < page.length; at += 2)
        ratings.set(page[at] ?? "", JSON.parse(page[at + 1] ?? ""));
      cursor = next;
    } while (cursor !== "0");
    return [...ratings.values()];
  }
}
