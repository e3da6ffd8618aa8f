import { keysOf } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** Where a receiver is kept: with the run whose id the task has. */
export type PushPlace = { task: string; id: string };

export type PushOutcome = "ok" | "none" | "changed" | "full";

/** How many receivers one task may have. */
const MOST = 10;

/** Receivers of the push notifications of tasks, as sealed text. They are part of the run's record, and expire and are erased with it. */
export class PushStore {
  readonly #redis: RedisClient;
  readonly #script = new Script("push");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @param latest the task's latest run, as the caller has seen it: one that has ended since is not told of any more */
  async put(
    tenant: string,
    { task, id }: PushPlace,
    text: string,
    latest: { id: string; state: string },
  ): Promise<PushOutcome> {
    const keys = keysOf(tenant);
    const answer = await guarded(() =>
      this.#script.run(
        this.#redis,
        [keys.run(task), keys.run(latest.id)],
        [task, id, text, MOST, latest.state],
      ),
    );
    if (answer === "OK") return "ok";
    if (answer === "CHANGED") return "changed";
    return answer === "FULL" ? "full" : "none";
  }

  async remove(tenant: string, { task, id }: PushPlace): Promise<void> {
    const run = keysOf(tenant).run(task);
    await guarded(() => this.#script.run(this.#redis, [run, run], [task, id, "", MOST, ""]));
  }

  async find(tenant: string, { task, id }: PushPlace): Promise<string | undefined> {
    return (await guarded(() => this.#redis.hget(keysOf(tenant).run(task), `push:${id}`))) ?? undefined;
  }

  async list(tenant: string, task: string): Promise<string[]> {
    const ids = await this.#idsOf(tenant, task);
    if (ids.length === 0) return [];
    const fields = ids.map((id) => `push:${id}`);
    const texts = await guarded(() => this.#redis.hmget(keysOf(tenant).run(task), ...fields));
    return texts.flatMap((text) => text ?? []);
  }

  /** Those who hear of a run. */
  async ofRun(tenant: string, run: string): Promise<PushPlace[]> {
    const task = await guarded(() => this.#redis.hget(keysOf(tenant).run(run), "notify"));
    if (task === null) return [];
    return (await this.#idsOf(tenant, task)).map((id) => ({ task, id }));
  }

  async #idsOf(tenant: string, task: string): Promise<string[]> {
    const ids = await guarded(() => this.#redis.hget(keysOf(tenant).run(task), "pushes"));
    return ids?.split(" ") ?? [];
  }
}
