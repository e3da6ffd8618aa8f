import { editionKey } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { connected } from "./timed-write.ts";

/** What an edition of the manifest is made from: the manifest's text, and the files that it names, by these names. */
export type EditionSources = {
  readonly text: string;
  readonly files: ReadonlyMap<string, Buffer>;
};

const TEXT = "manifest";
const FILE = "file:";

/** The sources of editions, for replicas that carry on a run of an edition which they have never loaded. They are the same for all tenants. */
export class EditionStore {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @throws GatewayError store_unavailable */
  async put(hash: string, { text, files }: EditionSources, keptS: number): Promise<void> {
    const fields = [...files].flatMap(([name, content]) => [`${FILE}${name}`, content]);
    await guarded(async () => {
      await connected(this.#redis);
      await this.#redis.hset(editionKey(hash), TEXT, text, ...fields);
      await this.#redis.expire(editionKey(hash), keptS);
    });
  }

  /** Keeps them for so long from now on. @returns whether they are there @throws GatewayError store_unavailable */
  async renew(hash: string, keptS: number): Promise<boolean> {
    return (await guarded(() => this.#redis.expire(editionKey(hash), keptS))) === 1;
  }

  /** @returns undefined where they are not kept any more @throws GatewayError store_unavailable */
  async find(hash: string): Promise<EditionSources | undefined> {
    const fields = await guarded(() => this.#redis.hgetallBuffer(editionKey(hash)));
    const { [TEXT]: text, ...rest } = fields;
    if (!text) return undefined;
    const files = Object.entries(rest).map(([field, content]): [string, Buffer] => [
      field.slice(FILE.length),
      content,
    ]);
    return { text: text.toString(), files: new Map(files) };
  }
}
