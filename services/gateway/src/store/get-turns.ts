import type { Keys } from "./keys.ts";
import type { TurnEntry } from "./records.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** The latest turn of a session that was asked for by a GET, which a browser repeats by itself when its connection breaks. */
export type GetTurn = {
  run: string;
  /** Stands for the message. */
  digest: string;
  /** Whether a repetition of the request means this turn: its answer is not known to have arrived, and no other turn came after it. */
  isPending: boolean;
};

/** Records in the session which turn a repeated GET refers to. */
export class GetTurns {
  readonly #redis: RedisClient;
  readonly #told = new Script("told");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @throws GatewayError store_unavailable */
  async latest(keys: Keys, sessionId: string): Promise<GetTurn | undefined> {
    return await guarded(async () => {
      const key = keys.session(sessionId);
      const [run, digest, told, turns] = await this.#redis.hmget(key, ...FIELDS, "turns");
      if (!run || !digest) return undefined;
      if (told === "1") return { run, digest, isPending: false };
      const last = await this.#redis.hget(key, `turn:${Number(turns) - 1}`);
      return { run, digest, isPending: last !== null && (JSON.parse(last) as TurnEntry).run_id === run };
    });
  }

  /** The session is there, since the run was just accepted for it. @throws GatewayError store_unavailable */
  async begin(keys: Keys, sessionId: string, { run, digest }: Omit<GetTurn, "isPending">): Promise<void> {
    const [runField, digestField, toldField] = FIELDS;
    const fields = { [runField]: run, [digestField]: digest, [toldField]: "0" };
    await guarded(() => this.#redis.hset(keys.session(sessionId), fields));
  }

  /** @throws GatewayError store_unavailable */
  async tell(keys: Keys, sessionId: string, run: string, told: boolean): Promise<void> {
    await guarded(() => this.#told.run(this.#redis, [keys.session(sessionId)], [run, told ? 1 : 0]));
  }
}

const FIELDS = ["get_run", "get_message", "get_told"] as const;
